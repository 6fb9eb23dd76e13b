import type { StoredEvent } from '../../../src/platform/events/stored-event.entity';

/** When {@link FAILED_EVENT} was published. */
export const PUBLISHED = new Date('2026-01-31T12:00:00.000Z');

/** An event that waits for an operator's decision; its handler is in no version. */
export const FAILED_EVENT: Readonly<Omit<StoredEvent, 'id'>> = {
  event: 'PetCreated',
  handler: 'Mails.welcome(PetCreated)',
  consumer: 'Mails',
  subject: 'pets/7',
  payload: '{}',
  publishedAt: PUBLISHED,
  attempts: 15,
  dueAt: PUBLISHED,
  lockedBy: null,
  lockedUntil: null,
  error: 'Error: <no server>',
  failedAt: PUBLISHED,
};

/** An event that its handler has failed to handle, and is to get again in years. */
export const WAITING_EVENT: Readonly<Omit<StoredEvent, 'id'>> = {
  ...FAILED_EVENT,
  attempts: 3,
  dueAt: new Date('2046-01-31T12:00:00.000Z'),
  error: 'Error: away',
  failedAt: null,
};
