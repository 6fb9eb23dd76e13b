/** Arguments of the undo of an import. */
export class UndoImportArguments {
  readonly recordType!: string;
  /** Number of the import. */
  readonly run!: bigint;
}
