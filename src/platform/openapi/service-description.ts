/** The introduction of the served document, in Markdown. */
export const SERVICE_DESCRIPTION = 'x';
