import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { Database } from '../../../../platform/database/database';
import { EntityRepository } from '../../../../platform/database/entities/entity-repository';
import { SavedView } from './saved-view.entity';

/** Saved views in the database. */
@Injectable()
export class SavedViewsRepository extends EntityRepository<SavedView> {
  constructor(database: Database) {
    super(database, SavedView);
  }

  /** The views of a record type that a person may use: own ones, then those that others share, each by name. */
  async ofPerson(kind: string, owner: string, limit: number): Promise<SavedView[]> {
    const order = { name: 'ASC', id: 'ASC' } as const;
    const own = await this.repository.find({ where: { kind, owner }, order, take: limit });
    const where = { kind, isShared: true, owner: Not(owner) };
    return [...own, ...(await this.repository.find({ where, order, take: limit - own.length }))];
  }
}
