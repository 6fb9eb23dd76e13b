import Sqlite from 'better-sqlite3';
import { createTestDatabase } from '../../support/databases/databases';
import { WAITING, type World } from './world';

/** Files of SQLite, which one node has. */
export function startSqliteWorld(): World {
  return {
    operationsPerFault: 150,
    createDatabase: async () => {
      const database = await createTestDatabase('sqlite');
      return {
        nodes: 1,
        environment: { DATABASE_URL: database.url },
        faults: (nodes) => nodes.faults,
        isDelivered: () => {
          const file = new Sqlite(database.url.slice('sqlite:'.length), { readonly: true });
          try {
            return Promise.resolve(file.prepare(WAITING).get() === undefined);
          } finally {
            file.close();
          }
        },
        drop: () => database.drop(),
      };
    },
    end: () => Promise.resolve(),
  };
}
