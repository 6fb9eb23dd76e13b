/**
 * Imported before packages are loaded, which takes a second: the first process of a container gets no signal for which it has no
 * handler.
 */
let handle: (signal: NodeJS.Signals) => void = () => process.exit(0);

const onSignal = (signal: NodeJS.Signals) => handle(signal);
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);

/** Calls `handler` at SIGTERM and SIGINT from now on. Until then they end the process at once, with 0: nothing has begun. */
export function onSignals(handler: (signal: NodeJS.Signals) => void): void {
  handle = handler;
}
