import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { isUniqueViolation } from '../../../platform/database/driver/driver-errors';
import { IncompleteFormError, RepeatedFormError } from '../console.errors';
import { AdminSessionsRepository } from './admin-sessions.repository';

/** Name of the hidden field that holds a form's name. */
export const ONCE_FIELD = '_once';

const NAME = /^[0-9a-f-]{36}$/;

/** Creates a value for the hidden field of a form that may be carried out once. */
export function newFormName(): string {
  return randomUUID();
}

/** Carries out every form once, however often it is sent: a reload of the response or a second click does nothing. */
@Injectable()
export class OneTimeForms {
  constructor(
    private readonly sessions: AdminSessionsRepository,
    private readonly database: Database,
  ) {}

  /**
   * Runs the work of a form, in one transaction with the note that it was done.
   *
   * @param form the fields as sent, with a field `_once`
   * @throws IncompleteFormError, or RepeatedFormError if the work was done before
   */
  async runOnce<T>(form: URLSearchParams, work: () => Promise<T>): Promise<T> {
    const id = form.get(ONCE_FIELD) ?? '';
    if (!NAME.test(id)) throw new IncompleteFormError();
    return this.once(id, work);
  }

  /**
   * Runs work that has a name of its own, in one transaction with the note that it was done.
   *
   * @throws RepeatedFormError if the work was done in the last twelve hours
   */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.claim(name);
      return work();
    });
  }

  private async claim(id: string): Promise<void> {
    try {
      await this.sessions.insertSentForm({ id, sentAt: new Date() });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new RepeatedFormError();
    }
  }
}
