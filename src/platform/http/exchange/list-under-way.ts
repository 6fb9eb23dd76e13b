/** The lists of one client. */
export interface ClientLists {
  /** Expected bytes of a row of the next list: as many as in the largest of the last lists. */
  bytesPerRow: number;
  isKnown: boolean;
  /** Expected bytes of lists that are being made, and bytes of those that the client has not taken. */
  underWay: number;
  waiting: number;
}

/** A list that is being made, or that its client has not taken. */
export interface ListUnderWay {
  readonly client: ClientLists;
  bytes: number;
  isMade: boolean;
}
