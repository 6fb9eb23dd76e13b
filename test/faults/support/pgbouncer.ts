import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeFolder } from '../../support/folders';
import { freePort } from '../../support/processes/free-port';
import { ListeningProgram } from '../../support/processes/listening-program';
import { serverOwner } from '../../support/databases/postgres-installation';

const HOST = '127.0.0.1';

/** A throw-away PgBouncer (Debian's) before one database, which pools by transaction. */
export class PgBouncer {
  private readonly program: ListeningProgram;
  private readonly file: string;

  private constructor(
    private readonly port: number,
    private readonly database: URL,
  ) {
    this.program = new ListeningProgram(port);
    const folder = makeFolder();
    // It refuses to run as root.
    chmodSync(folder, 0o755);
    this.file = join(folder, 'pgbouncer.ini');
  }

  /** @param settings of PgBouncer, besides those that it needs in any case */
  static async run(databaseUrl: string, settings: Readonly<Record<string, string>> = {}): Promise<PgBouncer> {
    const bouncer = new PgBouncer(await freePort(HOST), new URL(databaseUrl));
    bouncer.configure(settings);
    await bouncer.start();
    return bouncer;
  }

  /** Its version, as 1.18 is 118. */
  static version(): number {
    const [, major, minor] =
      /PgBouncer (\d+)\.(\d+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })) ?? [];
    return Number(major) * 100 + Number(minor);
  }

  /** The database through it. */
  get url(): string {
    return `postgres://petstore@${HOST}:${this.port}${this.database.pathname}`;
  }

  /** Starts it, on the same port each time. @throws Error with its output when it ends instead */
  async start(): Promise<void> {
    await this.program.start('pgbouncer', [this.file], await serverOwner());
  }

  /** Ends it at once, if it runs. */
  kill(): Promise<void> {
    return this.program.kill();
  }

  /** Runs a command of its console: `PAUSE`, `RESUME`, `RELOAD`. */
  async command(command: string): Promise<void> {
    const console = new Client({ host: HOST, port: this.port, database: 'pgbouncer', user: 'petstore' });
    await console.connect();
    try {
      await console.query(command);
    } finally {
      await console.end();
    }
  }

  private configure(settings: Readonly<Record<string, string>>): void {
    const { hostname, port, pathname, username, password } = this.database;
    const name = pathname.slice(1);
    const own = {
      listen_addr: HOST,
      listen_port: String(this.port),
      unix_socket_dir: '',
      // Each client that connects is the user of the line above.
      auth_type: 'any',
      admin_users: 'petstore',
      pool_mode: 'transaction',
      // Fewer than the service opens to it.
      default_pool_size: '4',
      ignore_startup_parameters: 'statement_timeout',
      ...(PgBouncer.version() >= 121 && { max_prepared_statements: '0' }),
      ...settings,
    };
    const lines = Object.entries(own).map(([setting, value]) => `${setting} = ${value}`);
    writeFileSync(
      this.file,
      `[databases]\n${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${password}\n[pgbouncer]\n${lines.join('\n')}\n`,
      { mode: 0o644 },
    );
  }
}
