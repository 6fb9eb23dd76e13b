import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { isUniqueViolation } from '../../../platform/database/driver/driver-errors';
import { EntityRepository, type New } from '../../../platform/database/entities/entity-repository';
import { ImportRun } from './import-run.entity';

/** The columns that identify the content of a run. */
export type RunContent = Pick<ImportRun, 'kind' | 'format' | 'digest'>;

/** Reads and writes runs of imports in the database. */
@Injectable()
export class ImportRunsRepository {
  private readonly runs = new EntityRepository(this.database, ImportRun);

  constructor(private readonly database: Database) {}

  /** The newest run of a content. */
  latest(content: RunContent): Promise<ImportRun | null> {
    return this.runs.repository.findOne({ where: content, order: { round: 'DESC' } });
  }

  /** The newest run of a content as it is once no other process is changing it, until the transaction in progress ends. */
  async latestForUpdate(content: RunContent): Promise<ImportRun | null> {
    const latest = await this.latest(content);
    return latest && this.findForUpdate(latest.id);
  }

  /** The run with an id. */
  find(id: bigint): Promise<ImportRun | null> {
    return this.runs.repository.findOneBy({ id });
  }

  /** The run with an id, which no other process can begin with before the transaction in progress ends. */
  findForUpdate(id: bigint): Promise<ImportRun | null> {
    return this.runs.findOneForUpdate(id);
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

  async change(id: bigint, changes: Partial<New<ImportRun>>): Promise<void> {
    await this.runs.repository.update({ id }, changes);
  }
}
