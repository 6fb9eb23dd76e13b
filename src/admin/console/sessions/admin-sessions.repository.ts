import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { Database } from '../../../platform/database/database';
import { EntityRepository } from '../../../platform/database/entities/entity-repository';
import { AdminSession } from './admin-session.entity';
import { SentForm } from './sent-form.entity';

/** Sessions of the console, and the forms sent in them, in the database. */
@Injectable()
export class AdminSessionsRepository {
  private readonly sessions = new EntityRepository(this.database, AdminSession);
  private readonly sentForms = new EntityRepository(this.database, SentForm);

  constructor(private readonly database: Database) {}

  async insert(session: AdminSession): Promise<void> {
    await this.sessions.repository.insert(session);
  }

  findByHash(tokenHash: string): Promise<AdminSession | null> {
    return this.sessions.repository.findOneBy({ tokenHash });
  }

  /** Sessions of a lineage, newest first. */
  ofLineage(lineageId: string): Promise<AdminSession[]> {
    return this.sessions.repository.find({ where: { lineageId }, order: { createdAt: 'DESC', id: 'ASC' } });
  }

  async update(
    id: string,
    change: Partial<Omit<AdminSession, 'id' | 'tokenHash' | 'actor' | 'lineageId'>>,
  ): Promise<void> {
    await this.sessions.repository.update({ id }, change);
  }

  /**
   * Lets one of several processes ask the provider about a session.
   *
   * @param sealedTokens the tokens as the process knows them: it must not ask with tokens that have been replaced
   * @param expired the time before which an earlier claim counts as abandoned
   * @returns true if this process may ask
   */
  async claimCheck({ id, sealedTokens }: AdminSession, expired: Date): Promise<boolean> {
    const where = { id, sealedTokens: sealedTokens ?? '', checkBegunAt: LessThan(expired) };
    const change = { checkBegunAt: new Date() };
    const { affected } = await this.sessions.repository.update(where, change);
    return affected === 1;
  }

  /** @returns true if the session existed */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.sessions.repository.delete({ id });
    return affected === 1;
  }

  /** Sessions begun through a provider: all of a person, or those that belong to one session at the provider. */
  ofProvider(
    issuer: string,
    which: { readonly actor: string } | { readonly providerSession: string },
  ): Promise<AdminSession[]> {
    return this.sessions.repository.findBy({ issuer, ...which });
  }

  /** @returns the number of sessions deleted */
  async deleteLineage(lineageId: string): Promise<number> {
    const { affected } = await this.sessions.repository.delete({ lineageId });
    return affected ?? 0;
  }

  /** @throws QueryFailedError of a unique constraint if the form was sent before */
  async insertSentForm(form: SentForm): Promise<void> {
    await this.sentForms.repository.insert(form);
  }

  /**
   * Deletes some of the sessions that were last used, or that began, before these instants.
   *
   * @returns true if there may be more
   */
  async deleteEnded(lastSeenBefore: Date, createdBefore: Date): Promise<boolean> {
    return (
      (await this.sessions.deleteBatch('lastSeenAt', lastSeenBefore)) ||
      this.sessions.deleteBatch('createdAt', createdBefore)
    );
  }

  /** Deletes some of the forms sent before an instant. @returns true if there may be more */
  deleteSentForms(before: Date): Promise<boolean> {
    return this.sentForms.deleteBatch('sentAt', before);
  }
}
