/** A token that was found, and where. */
export interface FoundToken {
  readonly token: string;
  /** Path below what was looked through; null in the message of a commit. */
  readonly file: string | null;
  /** Counted from 1; in the message of a commit, from its first line. */
  readonly line: number;
  /** The commit that brought it in; null for a file as it is now. */
  readonly commit: string | null;
}
