/** The message of an error of a driver or of the network, or of its cause, without a full stop. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: deeper } = (cause ?? {}) as { code?: string; message?: string };
  return (deeper || code || message || String(error)).replace(/\.$/, '');
}
