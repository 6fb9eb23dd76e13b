/** Words for what a request is doing, by the phase of its timeline. */
export const PHASE_WORDS: Readonly<Record<string, string>> = {
  wait: 'Waiting for the process',
  steps: 'Checks before the operation',
  wire: 'Checking the HTTP message',
  drain: 'Checking whether the process is stopping',
  overload: 'Checking the load of the process',
  target: 'Checking the address',
  host: 'Checking the host name',
  route: 'Finding the operation',
  authentication: 'Checking the API key',
  'rate limit': 'Checking the rate limit',
  scope: 'Checking the scopes of the key',
  deprecation: 'Checking whether the operation is deprecated',
  accept: 'Checking the format asked for',
  body: 'Receiving the body',
  parameters: 'Checking the parameters',
  idempotency: 'Checking the Idempotency-Key',
  'read only': 'Checking whether writes are accepted',
  'cached response': 'Looking in the cache',
  'list room': 'Waiting for the database, behind other lists',
  guards: 'Guards and interceptors',
  pipes: 'Validating the input',
  handler: 'Running the operation',
  response: 'Writing the response',
};

/** Names a phase for readers: `Guard OwnGuard` for one of a module. */
export function phaseInWords(name: string): string {
  return PHASE_WORDS[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}
