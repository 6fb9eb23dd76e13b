/** What every key begins with, and next to no line contains. */
const PREFIX = 'petk_';

/** Anything of this form is a key, wherever it turns up, or several that run into each other. */
const TOKEN = /petk_\w{8,}/g;

/** The text with every API key in it blacked out. */
export function redactTokens(text: string): string {
  return text.includes(PREFIX) ? text.replaceAll(TOKEN, `${PREFIX}[redacted]`) : text;
}
