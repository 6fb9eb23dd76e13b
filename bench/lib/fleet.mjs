import { join } from 'node:path';
import { startServer } from './server.mjs';

/** The servers started on some databases, with their logs in `folder`. */
export class Fleet {
  #servers = new Set();

  /** @param databases `{urlOf(name), fill(url, rows)}` */
  constructor(databases, folder, token) {
    this.databases = databases;
    this.folder = folder;
    this.token = token;
  }

  /** Starts `kind` on the database called `name`, which is made when it does not exist. */
  async start(kind, name) {
    const databaseUrl = await this.databases.urlOf(name);
    const server = await startServer(kind, databaseUrl, this.token, join(this.folder, `${name}.log`));
    this.#servers.add(server);
    return server;
  }

  async stop(server) {
    await server.stop();
    this.#servers.delete(server);
  }

  async stopAll() {
    for (const server of this.#servers) await this.stop(server);
  }

  /** Has `kind` make its own schema in a new database called `name`, and fills it with `rows` pets. */
  async fill(kind, rows, name) {
    await this.stop(await this.start(kind, name));
    await this.databases.fill(await this.databases.urlOf(name), rows);
  }

  /** Fills a new database called `name` for `kind` and starts it on that. */
  async startFilled(kind, rows, name) {
    await this.fill(kind, rows, name);
    return this.start(kind, name);
  }
}
