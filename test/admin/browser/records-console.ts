import type { Browser } from 'playwright-core';
import { RecordsService } from '../../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { startTestService, type TestService } from '../../support/service/service';
import { withFeatures } from '../../support/service/with-features';
import { launchChromium } from '../../browser/browser';

/** A name that would be markup were it not escaped. */
export const HOSTILE = `<b onclick=alert(1)>"it's"</b> & co`;

const NAMES = ['Rex', 'Luna', 'Milo', 'Coco', 'Nala', 'Otto', 'Ruby', 'Toby', 'Felix', 'Bella'];
const STATUSES = ['available', 'pending', 'sold', undefined];

/** A service with 60 pets, and a browser to look at them. */
export class RecordsConsole {
  readonly records = this.service.app.get(RecordsService, { strict: false });

  private constructor(
    readonly service: TestService,
    readonly browser: Browser,
  ) {}

  /** @param features besides those of `src/features.ts` */
  static async open(features: Readonly<Record<string, unknown>> = {}): Promise<RecordsConsole> {
    const browser = await launchChromium();
    const service = await withFeatures(features, () => startTestService('sqlite'));
    const opened = new RecordsConsole(service, browser);
    for (let i = 0; i < 60; i++) {
      await opened.add(`${NAMES[i % NAMES.length]} ${i}`, STATUSES[i % STATUSES.length]);
    }
    return opened;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.browser.close();
  }

  /** Adds a pet. */
  async add(name: string, status?: string): Promise<bigint> {
    const values = { name, categoryId: 7n, ...(status && { status }) };
    const { id } = await this.records.create(PETS_ADMIN, values);
    return id;
  }
}
