import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillPets } from './data.mjs';
import { startServer } from './server.mjs';

/**
 * The folder of one run and the servers started in it. The folder lies in the project's ignored
 * `data/`, so that writes are durable on the same disk a deployment would use; `/tmp` may be memory.
 */
export class Fleet {
  #servers = new Set();
  #token;

  constructor(root, token) {
    this.#token = token;
    mkdirSync(join(root, 'data'), { recursive: true });
    this.folder = mkdtempSync(join(root, 'data', 'bench-'));
  }

  /** Starts `kind` on the database file called `name`; the file is made when it does not exist. */
  async start(kind, name) {
    const server = await startServer(kind, this.#file(name), this.#token, join(this.folder, `${name}.log`));
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

  /** Has `kind` make its own schema in a new file called `name`, fills it with `rows` pets, and starts `kind` on it. */
  async startFilled(kind, rows, name = `${kind.name}-${rows}`) {
    await this.stop(await this.start(kind, name));
    fillPets(this.#file(name), rows);
    return this.start(kind, name);
  }

  /** Kills what still runs and removes the folder; synchronous, for the process's exit. */
  dispose() {
    for (const server of this.#servers) server.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #file(name) {
    return join(this.folder, `${name}.sqlite`);
  }
}
