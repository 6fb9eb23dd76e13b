import { tableOf } from '../../support/samples/samples';
import type { TestService } from '../../support/service/service';
import { runSql } from './sql';

/** Does something while a row of a table of the test's own refers to an item by a foreign key. */
export async function whileReferredTo<T>(
  { database }: TestService,
  collection: string,
  id: number,
  work: () => Promise<T>,
): Promise<T> {
  await runSql(
    database,
    `CREATE TABLE "referring" ("item" bigint NOT NULL REFERENCES "${tableOf(collection)}" ("id"))`,
  );
  try {
    await runSql(database, `INSERT INTO "referring" VALUES (${id})`);
    return await work();
  } finally {
    await runSql(database, 'DROP TABLE "referring"');
  }
}
