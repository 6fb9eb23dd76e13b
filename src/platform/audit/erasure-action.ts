/** Action of the event about an erasure. Its subject is the one whose personal values in events before it are erased. */
export const ERASURE_ACTION = 'audit.erase';
