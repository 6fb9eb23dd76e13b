const OWN_PATH = /^\/admin(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/;

/** Reads the page of the console to return to from a query or a form; returns the first page for anything else. */
export function readReturnPath(text: string | null | undefined): string {
  return text && text.length <= 2_000 && OWN_PATH.test(text) ? text : '/admin';
}
