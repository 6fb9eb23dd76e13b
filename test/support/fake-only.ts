const FAKEABLE = [
  ...([
    'Date',
    'hrtime',
    'performance',
    'nextTick',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
  ] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/**
 * Leaves these to the test and everything else to the process, until `jest.useRealTimers()`.
 *
 * @param now the date, if that is among them
 */
export function fakeOnly(faked: readonly (typeof FAKEABLE)[number][], now?: number | Date): void {
  const doNotFake = FAKEABLE.filter((name) => !faked.includes(name));
  jest.useFakeTimers(now === undefined ? { doNotFake } : { now, doNotFake });
}

/** Sets the clock of this process, and nothing that waits, until `jest.useRealTimers()`. */
export function setDate(now: number | Date): void {
  fakeOnly(['Date'], now);
}
