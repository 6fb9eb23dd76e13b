/** Beginning of every key, found in hardly any other line. */
const PREFIX = 'petk_';

/** Matches a key wherever it turns up, and several that run into each other. */
const TOKEN = /petk_\w{8,}/g;

/** Returns a text with every API key in it blacked out. */
export function redactTokens(text: string): string {
  return text.includes(PREFIX) ? text.replaceAll(TOKEN, `${PREFIX}[redacted]`) : text;
}
