import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { EntityRepository } from '../../../../platform/database/entity-repository';
import { SavedView } from './saved-view.entity';

/** Saved views in the database. */
@Injectable()
export class SavedViewsRepository extends EntityRepository<SavedView> {
  constructor(database: Database) {
    super(database, SavedView);
  }

  /** The views of a kind that a person has: own ones and shared ones, by their names. */
  ofPerson(kind: string, owner: string, limit: number): Promise<SavedView[]> {
    return this.database.with(SavedView, (views) =>
      views.find({
        where: [
          { kind, owner },
          { kind, isShared: true },
        ],
        order: { name: 'ASC', id: 'ASC' },
        take: limit,
      }),
    );
  }
}
