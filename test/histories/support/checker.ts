import type { Change, Create, Delivery, History, Page } from './history';

/** Violations that are told of each kind: one fault makes thousands. */
const MOST_TOLD = 5;

const UNKNOWN = '';

/** A write of a value, with the times between which it was carried out, in milliseconds. */
interface Write {
  /** {@link UNKNOWN} for a creation that no response shows. */
  readonly id: string;
  readonly value: string;
  readonly start: number;
  /** Infinity while nothing shows that it was carried out. */
  end: number;
}

/** Operations on one value of a register: its write, and the reads that show it. */
interface Cluster {
  readonly value: string;
  firstEnd: number;
  lastStart: number;
}

/**
 * Judges a history by what the service promises, and returns the violations, in words; empty when there are none.
 *
 * Each pet is a register that is linearizable, whatever node or replica is asked. All pets are a set, of which a page shows each
 * member of its range that was known before it was asked for. A creation happens once for its key. Events are delivered at least
 * once, and in the order of their subject. That no client sees an older state than before follows from the first two.
 *
 * Values are unique, so a read tells by which write it was preceded, and no order has to be searched for (Gibbons and Korach,
 * "Testing Shared Memories", 1997).
 */
export function violationsOf(history: History): string[] {
  const writes = writesOf(history);
  return [
    ...told(readsWithoutWrite(history, writes)),
    ...told(registerViolations(history, writes)),
    ...told(pageViolations(history, writes)),
    ...told(repeatedCreations(history)),
    ...told(deliveryViolations(history, writes)),
  ];
}

function told(violations: readonly string[]): string[] {
  const more = violations.length - MOST_TOLD;
  return more > 0 ? [...violations.slice(0, MOST_TOLD), `and ${more} more like these`] : [...violations];
}

/** Every read of a value: what a get, a page, or the response to a creation shows. */
function* readsOf(history: History) {
  for (const { id, value, start, end } of history.gets)
    if (value !== undefined) yield { id, value, start, end };
  for (const { shown, start, end } of history.pages) {
    for (const [id, value] of shown) yield { id, value, start, end };
  }
}

/** The writes by their values, each with the latest moment at which it must have been carried out. */
function writesOf(history: History): Map<string, Write> {
  const writes = new Map<string, Write>();
  const ids = new Map<string, string>();
  for (const { shown } of history.creates) if (shown) ids.set(shown[1], shown[0]);
  for (const { id, value } of readsOf(history)) if (!ids.has(value)) ids.set(value, id);
  for (const create of history.creates) addAttempt(writes, create, ids.get(create.value) ?? UNKNOWN);
  for (const change of history.changes) addAttempt(writes, change, change.id);
  for (const { value, end } of readsOf(history)) {
    const write = writes.get(value);
    if (write) write.end = Math.min(write.end, end);
  }
  return writes;
}

/** Repetitions are one write, from the start of the first to the first end. */
function addAttempt(writes: Map<string, Write>, attempt: Create | Change, id: string): void {
  const { value, start, end = Infinity } = attempt;
  const before = writes.get(value);
  writes.set(value, {
    id,
    value,
    start: Math.min(start, before?.start ?? Infinity),
    end: Math.min(end, before?.end ?? Infinity),
  });
}

function readsWithoutWrite(history: History, writes: ReadonlyMap<string, Write>): string[] {
  const violations: string[] = [];
  for (const { id, value, end } of readsOf(history)) {
    const write = writes.get(value);
    if (write?.id !== id) violations.push(`Pet ${id} was seen as "${value}", which it was never made.`);
    else if (end < write.start) violations.push(`Pet ${id} was seen as "${value}" before it was made that.`);
  }
  return violations;
}

/** No order of the operations on a pet explains what they show. */
function registerViolations(history: History, writes: ReadonlyMap<string, Write>): string[] {
  const violations: string[] = [];
  const registers = new Map<string, Map<string, Cluster>>();
  const include = (id: string, value: string, start: number, end: number) => {
    const clusters = getOrAdd(registers, id, () => new Map<string, Cluster>());
    const cluster = getOrAdd(clusters, value, () => ({ value, firstEnd: Infinity, lastStart: -Infinity }));
    cluster.firstEnd = Math.min(cluster.firstEnd, end);
    cluster.lastStart = Math.max(cluster.lastStart, start);
  };
  // A write that nothing shows may still be to come.
  for (const { id, value, start, end } of writes.values()) if (end < Infinity) include(id, value, start, end);
  for (const { id, value, start, end } of readsOf(history)) include(id, value, start, end);
  for (const [id, clusters] of registers) violations.push(...orderViolations(id, [...clusters.values()]));
  for (const { id, value, start } of history.gets) {
    const clusters = registers.get(id)?.values().toArray() ?? [];
    if (value === undefined && clusters.some(({ firstEnd }) => firstEnd < start)) {
      violations.push(`Pet ${id} was not found after it had been seen.`);
    }
  }
  return violations;
}

/** Gibbons and Korach: what holds for long must not overlap, and what holds for a moment must not lie within it. */
function orderViolations(id: string, clusters: readonly Cluster[]): string[] {
  const long = clusters.filter(({ firstEnd, lastStart }) => firstEnd < lastStart);
  const brief = clusters.filter(({ firstEnd, lastStart }) => firstEnd >= lastStart);
  long.sort((a, b) => a.firstEnd - b.firstEnd);
  const violations: string[] = [];
  let latest: Cluster | undefined;
  for (const cluster of long) {
    if (latest && cluster.firstEnd < latest.lastStart) {
      violations.push(`Pet ${id} was "${latest.value}" again after it had been "${cluster.value}".`);
    }
    if (!latest || cluster.lastStart > latest.lastStart) latest = cluster;
  }
  for (const { value, lastStart, firstEnd } of brief) {
    const around = long.find((cluster) => cluster.firstEnd < lastStart && firstEnd < cluster.lastStart);
    if (around) violations.push(`Pet ${id} was "${around.value}" again after it had been "${value}".`);
  }
  return violations;
}

/** A page lacks a pet of its range, shows one twice, or is out of order. */
function pageViolations({ pages }: History, writes: ReadonlyMap<string, Write>): string[] {
  const violations: string[] = [];
  const knownFrom = new Map<string, number>();
  const know = (id: string, time: number) => {
    if (time < (knownFrom.get(id) ?? Infinity)) knownFrom.set(id, time);
  };
  for (const { id, end } of writes.values()) if (end < Infinity) know(id, end);
  const known = [...knownFrom].map(([id, time]) => ({ id: BigInt(id), time }));
  known.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const page of pages) {
    const ids = page.shown.map(([id]) => BigInt(id));
    if (ids.some((id, index) => id <= (ids[index - 1] ?? BigInt(page.after)))) {
      violations.push(`A page after ${page.after} was out of order: ${ids.join(', ')}.`);
    }
    const missing = missingOn(page, new Set(ids), known);
    if (missing !== undefined) violations.push(`A page after ${page.after} lacked pet ${missing}.`);
  }
  return violations;
}

function missingOn(
  { after, shown, hasNext, start }: Page,
  ids: ReadonlySet<bigint>,
  known: readonly { readonly id: bigint; readonly time: number }[],
): bigint | undefined {
  const last = hasNext ? BigInt(shown.at(-1)?.[0] ?? after) : undefined;
  for (let index = firstAfter(known, BigInt(after)); index < known.length; index++) {
    const { id, time } = known[index] as (typeof known)[number];
    if (last !== undefined && id > last) return undefined;
    if (time < start && !ids.has(id)) return id;
  }
  return undefined;
}

function firstAfter(known: readonly { readonly id: bigint }[], after: bigint): number {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle] as { readonly id: bigint }).id <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One key has made two pets, or got responses that differ. */
function repeatedCreations(history: History): string[] {
  const violations: string[] = [];
  const made = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const { key, value, shown } of history.creates) {
    if (!shown) continue;
    const [id, shownValue] = shown;
    const before = getOrAdd(made, key, () => id);
    if (before !== id) violations.push(`Key ${key} made pets ${before} and ${id}.`);
    if (shownValue !== value) violations.push(`Key ${key} made "${shownValue}" in place of "${value}".`);
    getOrAdd(owners, value, () => id);
  }
  for (const { id, value } of readsOf(history)) {
    const before = getOrAdd(owners, value, () => id);
    if (before !== id) violations.push(`"${value}" is pet ${before} and pet ${id}.`);
  }
  return violations;
}

/** An event of an acknowledged write was not delivered, or after that of a later one of its subject. */
function deliveryViolations({ deliveries }: History, writes: ReadonlyMap<string, Write>): string[] {
  const violations: string[] = [];
  const delivered = new Map<string, Delivery>();
  for (const delivery of deliveries) getOrAdd(delivered, delivery.value, () => delivery);
  for (const { id, value, end } of writes.values()) {
    if (end < Infinity && !delivered.has(value)) {
      violations.push(`The event of pet ${id} that became "${value}" was not delivered.`);
    }
  }
  /** By subject, the delivered write that began last. */
  const latest = new Map<string, Write>();
  for (const { id, value } of delivered.values()) {
    const write = writes.get(value);
    // Of a creation that no response shows, only the event tells the id.
    if (write?.id !== id && write?.id !== UNKNOWN) {
      violations.push(`An event says that pet ${id} became "${value}", which it was never made.`);
      continue;
    }
    const before = latest.get(id);
    if (before && write.end < before.start) {
      violations.push(`The event of "${value}" was delivered after that of "${before.value}", a later one.`);
    }
    if (!before || write.start > before.start) latest.set(id, write);
  }
  return violations;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
