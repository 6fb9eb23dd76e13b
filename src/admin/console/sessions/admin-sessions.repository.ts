import { Injectable } from '@nestjs/common';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { Database } from '../../../platform/database/database';
import { AdminSession } from './admin-session.entity';
import { SentForm } from './sent-form.entity';

/** Rows one statement deletes: some milliseconds, so that others get their turn. */
const BATCH_ROWS = 1_000;

/** Sessions of the console, and the forms sent in them, in the database. */
@Injectable()
export class AdminSessionsRepository {
  constructor(private readonly database: Database) {}

  async insert(session: AdminSession): Promise<void> {
    await this.database.with(AdminSession, (sessions) => sessions.insert(session));
  }

  findByHash(tokenHash: string): Promise<AdminSession | null> {
    return this.database.with(AdminSession, (sessions) => sessions.findOneBy({ tokenHash }));
  }

  /** Those of a lineage of keys, newest first. */
  ofLineage(lineageId: string): Promise<AdminSession[]> {
    return this.database.with(AdminSession, (sessions) =>
      sessions.find({ where: { lineageId }, order: { createdAt: 'DESC', id: 'ASC' } }),
    );
  }

  async update(
    id: string,
    change: Partial<Pick<AdminSession, 'lastSeenAt' | 'notice' | 'keptForm'>>,
  ): Promise<void> {
    await this.database.with(AdminSession, (sessions) => sessions.update({ id }, change));
  }

  /** @returns whether it was there */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.database.with(AdminSession, (sessions) => sessions.delete({ id }));
    return affected === 1;
  }

  /** @returns how many there were */
  async deleteLineage(lineageId: string): Promise<number> {
    const { affected } = await this.database.with(AdminSession, (sessions) => sessions.delete({ lineageId }));
    return affected ?? 0;
  }

  /** @throws QueryFailedError of a unique constraint when it was sent before */
  async insertSentForm(form: SentForm): Promise<void> {
    await this.database.with(SentForm, (forms) => forms.insert(form));
  }

  /** Deletes some of the sessions that were last used, or that began, before these instants. @returns whether there may be more */
  deleteEnded(lastSeenBefore: Date, createdBefore: Date): Promise<boolean> {
    const condition = '"last_seen_at" < :lastSeenBefore OR "created_at" < :createdBefore';
    return this.deleteSome(AdminSession, 'admin_sessions', condition, { lastSeenBefore, createdBefore });
  }

  /** Deletes some of the forms sent before an instant. @returns whether there may be more */
  deleteSentForms(before: Date): Promise<boolean> {
    return this.deleteSome(SentForm, 'admin_sent_forms', '"sent_at" < :before', { before });
  }

  private async deleteSome(
    entity: EntityTarget<ObjectLiteral>,
    table: string,
    condition: string,
    values: Readonly<Record<string, Date>>,
  ): Promise<boolean> {
    const { affected } = await this.database.with(entity, (rows) =>
      rows
        .createQueryBuilder()
        .delete()
        .where(`"id" IN (SELECT "id" FROM "${table}" WHERE ${condition} LIMIT ${BATCH_ROWS})`, values)
        .execute(),
    );
    return affected === BATCH_ROWS;
  }
}
