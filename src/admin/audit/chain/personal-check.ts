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
  /** Values that an erasure deleted. */
  erased = 0;

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
    const { fault, erased } = found.fault ? await this.look(page) : found;
    this.erased += erased;
    return fault;
  }

  private async look(page: readonly SealedEvent[]): Promise<Findings> {
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last) return { fault: undefined, erased: 0 };
    const stored = new Map(
      (await this.values.valuesBetween(first.event.id, last.event.id)).map((value) => [nameOf(value), value]),
    );
    const commitments = page.flatMap(({ event, sequence }) =>
      commitmentsIn(event).map((each) => ({ ...each, event, sequence })),
    );
    const erasures = await this.chain.erasuresOf(commitments.map(({ subject }) => subject));
    let erased = 0;
    let fault: ChainFault | undefined;
    for (const commitment of commitments) {
      const name = nameOf({ eventId: commitment.event.id, member: commitment.member });
      const value = stored.get(name);
      stored.delete(name);
      const erasure = erasures.get(subjectText(commitment.subject)) ?? 0n;
      const isErased = erasure > commitment.event.id;
      if (!value && isErased) erased += 1;
      else fault ??= faultOfValue(commitment, value, isErased ? erasure : undefined);
    }
    return { fault: fault ?? faultOfRest(page, stored), erased };
  }
}

interface SealedEvent {
  readonly event: StoredAuditEvent;
  readonly sequence: bigint;
}

interface Findings {
  readonly fault: ChainFault | undefined;
  readonly erased: number;
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
