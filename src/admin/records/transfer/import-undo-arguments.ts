/** What is undone. */
export class UndoImportArguments {
  readonly recordType!: string;
  /** Number of the import. */
  readonly run!: bigint;
}
