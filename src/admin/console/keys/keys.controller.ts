import { Get, Param } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { KeyView } from '../../../auth/dto/key-view';
import { KeyWarningsService } from '../../../auth/key-warnings.service';
import { UsageService } from '../../../auth/usage/usage.service';
import { ConsoleController } from '../console-controller.decorator';
import { type Page, page } from '../page';
import { CurrentRequest, type ConsoleRequest } from '../console-request';
import { readKeyListPage, readKeyListQuery } from './key-list';
import { STATUS_TONES, warningText } from './key-words';

/** The page above every page about one key. */
export const KEYS = { title: 'API keys', path: '/admin/keys' } as const;

const DAY_MS = 86_400_000;
/** Days the use of a key is shown for. */
const USAGE_DAYS = 30;

/** API keys as every operator who is signed in sees them. */
@ConsoleController('keys')
export class KeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly warnings: KeyWarningsService,
    private readonly usage: UsageService,
  ) {}

  @Get()
  async list(@CurrentRequest() request: ConsoleRequest): Promise<Page> {
    const query = readKeyListQuery(request.query);
    const { keys, countText, next } = await readKeyListPage(this.keys, query);
    const data = {
      keys: keys.map((key) => ({ ...key, warnings: this.warnings.about(key) })),
      countText,
      query,
      tones: STATUS_TONES,
      warningText,
      first: query.after ? request.addressWith({ after: undefined }) : undefined,
      next: next && request.addressWith({ after: next }),
    };
    return page('/keys/list', { title: KEYS.title, data });
  }

  @Get(':id')
  async show(@Param('id') id: string): Promise<Page> {
    const key = await this.keys.show(id);
    const [totals, days] = await Promise.all([this.usage.totals({ keyId: id }), this.recentUse(id)]);
    const data = {
      key,
      kin: await this.kinOf(key),
      isLast: await this.keys.isLastManaging(id),
      warnings: this.warnings.about(key),
      tones: STATUS_TONES,
      warningText,
      totals: totals.sort((a, b) => b.count - a.count),
      recent: new Map(days.map(({ operation, count }) => [operation, count])),
      usageDays: USAGE_DAYS,
    };
    return page('/keys/show', { title: key.name, trail: [KEYS], data });
  }

  private recentUse(keyId: string) {
    const now = Date.now();
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
    const days = { from: dayOf(now - (USAGE_DAYS - 1) * DAY_MS), to: dayOf(now) };
    return this.usage.sums(['operation'], days, { keyId });
  }

  /** The other keys of its chain of rotations, oldest first. */
  private async kinOf({ id, lineageId }: KeyView): Promise<KeyView[]> {
    return (await this.keys.ofLineage(lineageId)).filter((key) => key.id !== id);
  }
}
