import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from 'pg';
import { acceptsConnections } from '../../support/accepts-connections';
import { makeFolder } from '../../support/folders';
import { freePort } from '../../support/free-port';
import { serverOwner } from '../../support/postgres-installation';
import { SLOWLY, until } from '../../support/until';

const HOST = '127.0.0.1';

/** A throw-away PgBouncer (Debian's) before one database, which pools by transaction. */
export class PgBouncer {
  private output = '';
  private process: ChildProcessByStdio<null, null, Readable> | undefined;
  private readonly file: string;

  private constructor(
    private readonly port: number,
    private readonly database: URL,
  ) {
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

  log(): string {
    return this.output;
  }

  /** Starts it, on the same port each time. @throws Error with its output when it ends instead */
  async start(): Promise<void> {
    const owner = await serverOwner();
    const child = spawn('pgbouncer', [this.file], { stdio: ['ignore', 'ignore', 'pipe'], ...owner });
    this.process = child;
    let fault: Error | undefined;
    child.once('error', (error) => (fault = error));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    await until(
      async () =>
        fault !== undefined || child.exitCode !== null || (await acceptsConnections(HOST, this.port)),
      SLOWLY,
    );
    if (fault ?? child.exitCode !== null)
      throw new Error(`PgBouncer does not run: ${fault?.message ?? this.output}`);
  }

  /** Ends it at once, if it runs. */
  async kill(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
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
      // Whoever connects is the user of the line above.
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
