const OWN_PATH = /^\/admin(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/;

/** A page of the console to go back to, as a query or a form names it; its first page for anything else. */
export function readReturnPath(text: string | null | undefined): string {
  return text && text.length <= 2_000 && OWN_PATH.test(text) ? text : '/admin';
}
