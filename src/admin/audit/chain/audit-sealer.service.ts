import { Injectable } from '@nestjs/common';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { Database } from '../../../platform/database/database';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { appendAnchor, type Anchor } from './anchors';
import { AuditChainRepository } from './audit-chain.repository';
import type { AuditSeal } from './audit-seal.entity';
import { hashOf, instantText, type Link, type StoredAuditEvent } from './seal';

/** Events that are sealed in one transaction: some milliseconds of SQLite's only writer. */
const BATCH = 500;

/** Batches of one run, so that a stop need not wait for the first one on a long record. */
const MAX_BATCHES = 200;

/**
 * Adds audit events to the chain in the order of their ids, behind the back of what writes them. It runs in one process of all; were it
 * two, the second would not get the place in the chain that the first has taken.
 */
@Injectable()
export class AuditSealer {
  constructor(
    private readonly chain: AuditChainRepository,
    private readonly database: Database,
    @InjectSettings() private readonly settings: Settings,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Seals what is settled. What is not, the next run seals. */
  @Scheduled('* * * * *', { title: 'Seal audit events' })
  async seal(): Promise<void> {
    const upTo = await this.chain.settledId();
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
      const hash = hashOf(previous.hash, { sequence, sealedAt: text }, event);
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
