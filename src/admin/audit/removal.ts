/** Action and subject of the event about a removal. */
export const REMOVAL = {
  action: 'audit.remove',
  subject: { type: 'audit', id: 'events' },
} as const;

/** Content of the event about a removal: the chain begins after this link. The database refuses to delete newer events. */
export interface Removal {
  /** Events from before this instant were removed. */
  readonly before: Date;
  readonly lastSequence: bigint;
  readonly lastEventId: bigint;
  readonly lastHash: string;
}
