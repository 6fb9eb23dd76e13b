import { Client } from 'pg';
import { CliProcess } from '../../cli/support/cli-process';
import { SLOW_PETS } from '../../faults/support/slow-pets';
import { startPostgresServer } from '../../support/databases/postgres-server';
import { resultOf } from '../../support/processes/command';
import { until } from '../../support/until';

describe('petstore db migrate', () => {
  it.each(['killed', 'told to end the connection'])(
    'says that it can be tried later when its primary is %s, and then succeeds: exit code 5',
    async (what) => {
      const server = await startPostgresServer();
      const connect = async () => {
        const connected = new Client({ connectionString: server.url });
        connected.on('error', () => undefined);
        await connected.connect();
        return connected;
      };
      let client = await connect();
      await client.query(SLOW_PETS);
      const cli = new CliProcess({ DATABASE_URL: server.url });
      const migration = resultOf(cli.start('db', 'migrate'));
      const sleeping = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      await until(async () => (await client.query(`SELECT 1 ${sleeping}`)).rows.length === 1);
      if (what === 'killed') await server.kill('SIGKILL');
      else await client.query(`SELECT pg_terminate_backend(pid) ${sleeping}`);
      const { code, stdout, stderr } = await migration;
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
      expect(stderr).toMatch(/^(Applying \w+\.\n)+The database cannot serve at the moment: [^\n]+\.\n$/);

      if (what === 'killed') {
        await server.start();
        client = await connect();
      }
      await client.query('DROP EVENT TRIGGER sleep_at_pets');
      expect(await cli.run('db', 'migrate')).toMatchObject({ code: 0 });
      await client.end();
      await server.stop();
    },
  );
});
