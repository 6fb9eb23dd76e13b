import type { Type } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error';
import { validate } from '../record-values';
import { InvalidRecordError } from '../records.errors';
import type { RecordValues } from '../stored-record';
import type { Refusal } from './refusals';
import type { SourceRow } from './source-row';
import { InvalidRowError } from './transfer.errors';

/** A row whose values are valid. */
interface Candidate {
  readonly row: SourceRow;
  readonly creation: object;
}

/** Rows that are stored in one transaction. */
export class Batch {
  readonly candidates: Candidate[] = [];
  /** Refused rows in the order of their lines, once the batch is settled. */
  refused: readonly Refusal[] = [];
  /** Candidates whose records were added, once the batch is settled. */
  accepted: Candidate[] = [];
  /** Rows refused before the transaction, because their values are invalid. */
  private readonly invalid: Refusal[] = [];

  constructor(
    readonly rows: readonly SourceRow[],
    creation: Type<object>,
  ) {
    for (const row of rows) {
      if (row.isEmpty) continue;
      try {
        this.candidates.push({ row, creation: validate(creation, row.values()) });
      } catch (error) {
        if (!(error instanceof InvalidRowError || error instanceof InvalidRecordError)) throw error;
        this.invalid.push(refusalOf(row, error.message));
      }
    }
  }

  /**
   * Takes over the results of the candidates. The transaction may run again, so nothing of an earlier run is kept.
   *
   * @returns the values of the added records
   */
  settle(results: readonly (RecordValues | AppError)[]): RecordValues[] {
    this.accepted = [];
    const added: RecordValues[] = [];
    const refused = [...this.invalid];
    results.forEach((result, index) => {
      const candidate = this.candidates[index] as Candidate;
      if (result instanceof AppError) {
        refused.push(refusalOf(candidate.row, result.message));
        return;
      }
      added.push(result);
      this.accepted.push(candidate);
    });
    this.refused = refused.sort((a, b) => a.line - b.line);
    return added;
  }
}

function refusalOf(row: SourceRow, reason: string): Refusal {
  return { line: row.line, reason, row: row.text() };
}
