/** Anything of this form is a key, wherever it turns up. */
const TOKEN = /petk_[0-9A-Za-z]{8,}/g;

/** The text with every API key in it blacked out. */
export function redactTokens(text: string): string {
  return text.replaceAll(TOKEN, 'petk_[redacted]');
}
