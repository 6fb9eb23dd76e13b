/** Items of a page for a client that asks for no number. */
export const DEFAULT_LIMIT = 20;
