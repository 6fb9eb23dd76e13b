import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { Database } from '../database/database';
import { EntityRepository } from '../database/entities/entity-repository';
import type { LogWindow } from '../database/entities/log-search';
import { RowsInsertion } from '../database/entities/rows-insertion';
import { ClientChange } from './client-change.entity';

/** Changes of records by clients, in the database. */
@Injectable()
export class ClientChangesRepository {
  private readonly changes = new EntityRepository(this.database, ClientChange);
  private readonly insertion = new RowsInsertion(
    this.database,
    this.database.dataSource.getMetadata(ClientChange).columns,
    'ON CONFLICT DO NOTHING RETURNING 1',
  );

  constructor(private readonly database: Database) {}

  /** Stores changes; leaves one that is stored already unchanged, so that a write can be repeated. */
  async insert(changes: readonly ClientChange[]): Promise<void> {
    await this.insertion.insert(changes);
  }

  /** Returns the changes of a record, newest first. */
  list(
    { kind, recordId }: Pick<ClientChange, 'kind' | 'recordId'>,
    { before, limit }: LogWindow,
  ): Promise<ClientChange[]> {
    return this.changes.repository.find({
      where: { kind, recordId, ...(before !== undefined && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** Returns the id of the oldest change of any record; undefined without any. */
  async oldest(): Promise<bigint | undefined> {
    const [found] = await this.changes.repository.find({
      select: { id: true, kind: true, recordId: true },
      order: { id: 'ASC' },
      take: 1,
    });
    return found?.id;
  }

  /** Deletes some of the changes before an id. @returns true if there may be more */
  deleteBefore(id: bigint): Promise<boolean> {
    return this.changes.deleteBatch('id', id);
  }
}
