import { Injectable } from '@nestjs/common';
import { SettledEvents } from '../../../platform/audit/settled-events';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { Database } from '../../../platform/database/database';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { appendAnchor, type Anchor } from './anchors';
import { AuditChainRepository } from './audit-chain.repository';
import type { AuditSeal } from './audit-seal.entity';
import { eventHash, instantText, type Link, type StoredAuditEvent } from './seal';

/** Events sealed in one transaction: it takes SQLite's only writer for some milliseconds. */
const BATCH = 500;

/** Batches of one run, so that a shutdown need not wait for the first run on a long record. */
const MAX_BATCHES = 200;

/**
 * Adds audit events to the chain in the order of their ids, independently of the code that records them. One process runs it; a
 * second one would fail to insert at the position the first has taken.
 */
@Injectable()
export class AuditSealer {
  constructor(
    private readonly chain: AuditChainRepository,
    private readonly settled: SettledEvents,
    private readonly database: Database,
    @InjectSettings() private readonly settings: Settings,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Seals every event that is settled; the next run seals the rest. */
  @Scheduled('* * * * *', { title: 'Seal audit events' })
  async seal(): Promise<void> {
    const upTo = await this.settled.newestId();
    if (upTo === undefined) return;
    const begin = await this.chain.head();
    let head = begin;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const begun = performance.now();
      const events = await this.chain.eventsIn({ after: head.eventId, upTo, limit: BATCH });
      if (events.length === 0) break;
      head = await this.add(head, events);
      await yieldToWriters(this.database, begun);
    }
    if (head.sequence > begin.sequence) await this.anchor(head);
  }

  /** @returns the new end of the chain */
  private async add(head: Link, events: readonly StoredAuditEvent[]): Promise<Link> {
    const sealedAt = new Date();
    const text = instantText(sealedAt);
    const seals: AuditSeal[] = [];
    for (const event of events) {
      const previous = seals.at(-1) ?? head;
      const sequence = previous.sequence + 1n;
      const hash = eventHash(previous.hash, { sequence, sealedAt: text }, event);
      seals.push({ sequence, eventId: event.id, sealedAt, hash });
    }
    await this.chain.insert(seals);
    return seals.at(-1) ?? head;
  }

  private async anchor({ sequence, eventId, hash }: Link): Promise<void> {
    const anchor: Anchor = { at: new Date().toISOString(), sequence, eventId, hash };
    const auditAnchor = { ...anchor, sequence: String(sequence), eventId: String(eventId) };
    this.logger.info({ auditAnchor }, 'Audit events were sealed.');
    const { auditAnchorFile } = this.settings;
    if (auditAnchorFile !== undefined) await appendAnchor(auditAnchorFile, anchor);
  }
}
