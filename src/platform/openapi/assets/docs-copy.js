/**
 * Puts a text on the clipboard.
 *
 * @returns what to tell the reader
 */
export async function copy(text) {
  try {
    // Browsers offer it on https and on localhost only.
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    return 'The browser does not let this page copy: mark the text.';
  }
}
