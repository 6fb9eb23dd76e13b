import type { StoredRun } from '../../../src/platform/jobs/stored-run.entity';

/** Time at which {@link FAILED_RUN} ended. */
export const RUN_ENDED = new Date('2026-01-31T12:00:00.000Z');

/** A run that waits for an operator's decision; its job is in no version. */
export const FAILED_RUN: Readonly<Omit<StoredRun, 'id'>> = {
  job: 'Parcels.send',
  arguments: '{"orders":["<7>",{"$int64":"8"}]}',
  actor: '{"name":"key_one"}',
  state: 'failed',
  attempts: 15,
  createdAt: RUN_ENDED,
  dueAt: RUN_ENDED,
  advancedAt: RUN_ENDED,
  endedAt: RUN_ENDED,
  lockedBy: null,
  lockedUntil: null,
  cursor: '120',
  done: 120n,
  total: 400n,
  error: 'Error: <no carrier>',
};

/** A run that a process has, for years. */
export const RUNNING_RUN: Readonly<Omit<StoredRun, 'id'>> = {
  ...FAILED_RUN,
  state: 'waiting',
  attempts: 1,
  endedAt: null,
  lockedBy: 'a process',
  lockedUntil: new Date('2046-01-31T12:00:00.000Z'),
  error: null,
};
