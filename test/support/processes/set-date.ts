/** Sets the clock of this process, and nothing that waits, until `jest.useRealTimers()`. */
export function setDate(now: number): void {
  const doNotFake = [
    ...(['hrtime', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
    ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
  ];
  jest.useFakeTimers({ now, doNotFake });
}
