import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidParameterError, RateLimitedError } from '../../../platform/errors/http-errors';
import { OnManagementPort } from '../../../platform/http/management/on-management-port.decorator';
import { send } from '../../../platform/http/response/response-writer';
import { Public } from '../../../platform/security/access.decorators';
import { exactJson } from '../../../platform/values/exact-json';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import { readQuery } from '../../../platform/values/query-reader';
import { type EventFormat, inFormat } from '../../audit/event-lines';
import { FollowedEvents } from '../../audit/followed-events.service';
import { bearerOperator } from '../sessions/bearer-session';
import { Sessions } from '../sessions/sessions.service';

const PARAMETERS = new Set(['after', 'limit', 'format']);

const DEFAULT_LIMIT = 100;
/** Most events of one page, all of which are in memory at once. */
const MAX_LIMIT = 500;

/** Most pages that one operator may ask for at once: a follower asks for one after the other. */
const MAX_AT_ONCE = 2;

interface FollowedEventsQuery {
  /** Id of the last event that the reader has; undefined to begin with the oldest that is kept. */
  readonly after: bigint | undefined;
  readonly limit: number;
  readonly format: EventFormat;
}

/**
 * Gives the audit log to another system, page by page, oldest first. It is read with an API key.
 */
@OnManagementPort()
@Public()
@Controller('audit-events')
export class FollowedEventsController {
  /** Number of pages under way, by actor. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly sessions: Sessions,
    private readonly events: FollowedEvents,
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { actor } = await bearerOperator(request, this.sessions);
    const { after, limit, format } = readFollowedEventsQuery(request.exchange.query);
    const entries = await this.withinLimit(actor, () => this.events.page(after, limit));
    const body = { items: inFormat(entries, format), next: entries.at(-1)?.id ?? after ?? null };
    send(request, response, 200, exactJson(body), 'no-store');
  }

  /** @throws RateLimitedError */
  private async withinLimit<T>(actor: string, work: () => Promise<T>): Promise<T> {
    const others = this.underWay.get(actor) ?? 0;
    if (others >= MAX_AT_ONCE) {
      throw new RateLimitedError({
        message: `You are asking for ${MAX_AT_ONCE} pages already; ask for one after the other.`,
        headers: { 'Retry-After': '1' },
      });
    }
    this.underWay.set(actor, others + 1);
    try {
      return await work();
    } finally {
      const left = (this.underWay.get(actor) ?? 1) - 1;
      if (left > 0) this.underWay.set(actor, left);
      else this.underWay.delete(actor);
    }
  }
}

/** @throws UnknownParameterError or InvalidParameterError */
function readFollowedEventsQuery(text: string): FollowedEventsQuery {
  const { after, limit, format = 'json' } = readQuery(text, PARAMETERS) as Record<string, string>;
  return { after: readAfter(after), limit: readLimit(limit), format: readFormat(format) };
}

function readAfter(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const id = parseDecimalInt64(text);
  if (id === undefined) throw new InvalidParameterError('after must be the id of an event.');
  return id;
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Infinity;
  if (limit > MAX_LIMIT) {
    throw new InvalidParameterError(`limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  }
  return limit;
}

function readFormat(text: string): EventFormat {
  if (text === 'json') return 'ndjson';
  if (text === 'ocsf') return text;
  throw new InvalidParameterError('format must be json or ocsf.');
}
