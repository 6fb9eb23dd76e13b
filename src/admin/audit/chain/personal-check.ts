import { commitmentsIn, subjectText } from '../../../platform/audit/committed-event';
import { openStored, type PersonalValues, type StoredValue } from '../../../platform/audit/personal-values';
import type { AuditChainRepository } from './audit-chain.repository';
import type { ChainFault } from './chain-faults';
import type { StoredAuditEvent, StoredSeal } from './seal';
import {
  keyMissing,
  type SealedCommitment,
  valueChanged,
  valueInserted,
  valueMissing,
  valueReturned,
} from './value-faults';

/** Compares the personal values of sealed events with the commitments to them, page by page. */
export class PersonalCheck {
  /** Values that an erasure deleted, or made unreadable. */
  erased = 0;
  /** Subjects of which an erasure that was interrupted, or goes on, has left unreadable values. */
  readonly unfinished = new Set<string>();

  constructor(
    private readonly chain: AuditChainRepository,
    private readonly values: PersonalValues,
  ) {}

  /**
   * Finds the first fault of the personal values of events.
   *
   * @param seals the seal of each event, in the same order
   */
  async faultOf(
    events: readonly StoredAuditEvent[],
    seals: readonly StoredSeal[],
  ): Promise<ChainFault | undefined> {
    const page = events.map((event, index) => ({ event, sequence: (seals[index] as StoredSeal).sequence }));
    const found = await this.look(page);
    // An erasure may have come between the values and the erasures.
    const { fault, erased, unfinished } = found.fault ? await this.look(page) : found;
    this.erased += erased;
    for (const subject of unfinished) this.unfinished.add(subject);
    return fault;
  }

  private async look(page: readonly SealedEvent[]): Promise<Findings> {
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last) return { fault: undefined, erased: 0, unfinished: [] };
    const stored = new Map(
      (await this.values.valuesBetween(first.event.id, last.event.id)).map((value) => [nameOf(value), value]),
    );
    const commitments = page.flatMap(({ event, sequence }) =>
      commitmentsIn(event).map((each) => ({ ...each, event, sequence })),
    );
    const erasures = await this.chain.erasuresOf(commitments.map(({ subject }) => subject));
    const unfinished: string[] = [];
    let erased = 0;
    let fault: ChainFault | undefined;
    for (const commitment of commitments) {
      const name = nameOf({ eventId: commitment.event.id, member: commitment.member });
      const value = stored.get(name);
      stored.delete(name);
      const subject = subjectText(commitment.subject);
      const { id = 0n, isFinished = true } = erasures.get(subject) ?? {};
      const isErased = id > commitment.event.id;
      const isLeft =
        isErased && !isFinished && value && openStored(value, commitment.commitment) === undefined;
      if (isLeft) unfinished.push(subject);
      if (isErased && (!value || isLeft)) erased += 1;
      else fault ??= faultOfValue(commitment, value, isErased ? id : undefined);
    }
    return { fault: fault ?? faultOfRest(page, stored), erased, unfinished };
  }
}

interface SealedEvent {
  readonly event: StoredAuditEvent;
  readonly sequence: bigint;
}

interface Findings {
  readonly fault: ChainFault | undefined;
  readonly erased: number;
  readonly unfinished: readonly string[];
}

/** @param erasure the event that erased the value, if one did */
function faultOfValue(
  of: SealedCommitment,
  value: StoredValue | undefined,
  erasure: bigint | undefined,
): ChainFault | undefined {
  if (!value) return valueMissing(of);
  if (erasure !== undefined) return valueReturned(of, erasure);
  if (subjectText({ type: value.subjectType, id: value.subjectId }) !== subjectText(of.subject)) {
    return valueChanged(of);
  }
  if (value.key === null) return keyMissing(of);
  return openStored(value, of.commitment) === undefined ? valueChanged(of) : undefined;
}

/** @param rest values of the events of a page that no commitment is to */
function faultOfRest(
  page: readonly SealedEvent[],
  rest: ReadonlyMap<string, StoredValue>,
): ChainFault | undefined {
  for (const { eventId, member } of rest.values()) {
    const at = page.find(({ event }) => event.id === eventId) ?? page[0];
    if (at) return valueInserted(at.event, at.sequence, member);
  }
  return undefined;
}

function nameOf({ eventId, member }: Pick<StoredValue, 'eventId' | 'member'>): string {
  return `${eventId} ${member}`;
}
