/** Begins a text in UTF-8. Without it, spreadsheets read CSV in the encoding of the machine. */
export const BYTE_ORDER_MARK = '\ufeff';
