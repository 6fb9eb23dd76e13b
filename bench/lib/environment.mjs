import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { median } from './statistics.mjs';

const PACKAGES = ['@nestjs/core', 'express', 'typeorm', 'better-sqlite3', 'pg', 'fastify'];

/**
 * What the figures depend on: machine, versions, what else ran in the minute before (`loadAverage`,
 * to be near 0), and what one durable write costs on this disk.
 */
export function describeEnvironment(root, folder) {
  const versions = PACKAGES.map((name) => {
    const manifest = join(root, 'node_modules', name, 'package.json');
    return `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
  });
  return {
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    sqlite: sqliteVersion(),
    packages: versions,
    loadAverage: loadavg()[0],
    fsyncMs: fsyncMs(join(folder, 'fsync-probe')),
  };
}

function sqliteVersion() {
  const db = new Database(':memory:');
  try {
    return db.prepare('select sqlite_version()').pluck().get();
  } finally {
    db.close();
  }
}

/** Median milliseconds of appending 4 KiB and fsync. */
function fsyncMs(path) {
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4096, 1);
  const times = [];
  for (let n = 0; n < 50; n += 1) {
    const begin = performance.now();
    writeSync(file, block);
    fsyncSync(file);
    times.push(performance.now() - begin);
  }
  closeSync(file);
  return median(times);
}
