import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Database } from '../../../platform/database/database';
import { isUniqueViolation } from '../../../platform/database/driver/driver-errors';
import { EntityRepository, type New } from '../../../platform/database/entities/entity-repository';
import { ImportRun } from './import-run.entity';

/** The columns that identify the content of a run. */
export type RunContent = Pick<ImportRun, 'kind' | 'format' | 'digest'>;

/** The columns of a run that a batch changes. */
export type RunProgress = Pick<
  ImportRun,
  | 'rows'
  | 'imported'
  | 'refused'
  | 'rejectsSize'
  | 'heldUntil'
  | 'holder'
  | 'finishedAt'
  | 'undoActor'
  | 'undone'
  | 'leftAlone'
  | 'undoneAt'
>;

/** Most runs to be undone that are read at once. */
const MOST_TO_UNDO = 100;

/** Reads and writes runs of imports in the database. */
@Injectable()
export class ImportRunsRepository {
  private readonly runs = new EntityRepository(this.database, ImportRun);

  constructor(private readonly database: Database) {}

  /** The newest run of a content. */
  latest(content: RunContent): Promise<ImportRun | null> {
    return this.runs.repository.findOne({ where: content, order: { round: 'DESC' } });
  }

  /** The run with an id. */
  find(id: bigint): Promise<ImportRun | null> {
    return this.runs.repository.findOneBy({ id });
  }

  /** Runs that somebody has undone and that are not undone yet, oldest first. */
  toUndo(): Promise<ImportRun[]> {
    return this.runs.repository.find({
      where: { undoActor: Not(IsNull()), undoneAt: IsNull() },
      order: { id: 'ASC' },
      take: MOST_TO_UNDO,
    });
  }

  /** Stores a run; returns undefined if another process has just begun it. */
  async insert(run: New<ImportRun>): Promise<ImportRun | undefined> {
    try {
      return await this.database.attempt(() => this.runs.insert(run));
    } catch (error) {
      if (isUniqueViolation(error)) return undefined;
      throw error;
    }
  }

  /** Changes a run if it still has the given holder. @returns true if it had */
  async change(id: bigint, holder: string | null, progress: Partial<RunProgress>): Promise<boolean> {
    const query = this.runs.repository.createQueryBuilder().update().set(progress).where('id = :id', { id });
    if (holder === null) query.andWhere('holder IS NULL');
    else query.andWhere('holder = :before', { before: holder });
    const { affected } = await query.execute();
    return affected === 1;
  }
}
