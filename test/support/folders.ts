import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** Makes an empty folder for a test, within the folder of the run, which is removed at its end. */
export function makeFolder(): string {
  const { TEST_FOLDER } = process.env;
  if (!TEST_FOLDER) {
    throw new Error('TEST_FOLDER is not set: the test did not run under Jest with its global setup.');
  }
  return mkdtempSync(join(TEST_FOLDER, 'test-'));
}
