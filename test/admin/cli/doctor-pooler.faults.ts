import { Client, escapeIdentifier } from 'pg';
import { createToken } from '../../../src/platform/security/api-key-token';
import { CliProcess } from '../../cli/support/cli-process';
import { PgBouncer } from '../../faults/support/pgbouncer';
import { createTestDatabase } from '../../support/databases/databases';
import { migrate } from '../../support/databases/migrated-database';
import { makeFolder } from '../../support/folders';
import { endServiceProcesses, ServiceProcess } from '../../support/processes/service-process';
import { doctor } from './support/doctor';

const STATEMENT_TIMEOUT_MS = 2_500;

afterEach(endServiceProcesses);

describe('petstore doctor behind PgBouncer, which pools by transaction', () => {
  it('finds no fault, and says whether each statement is planned anew', async () => {
    const database = await createTestDatabase('postgres');
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const name = escapeIdentifier(new URL(database.url).pathname.slice(1));
    await client.query(`ALTER DATABASE ${name} SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    await client.end();
    const bouncer = await PgBouncer.run(database.url);
    await migrate(bouncer.url);
    const cwd = makeFolder();
    const environment = {
      DATABASE_URL: bouncer.url,
      BOOTSTRAP_API_KEY: createToken(),
      DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
    };
    await ServiceProcess.start(environment, { cwd });

    const { report, say } = await doctor(new CliProcess(environment, cwd));
    expect(report.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(say('database').includes('plans each statement anew')).toBe(PgBouncer.version() < 121);
    await endServiceProcesses();
    await bouncer.kill();
    await database.drop();
  });
});
