import type { CheckContext } from '../../platform/cli/cli';
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { byteSize } from '../../platform/values/byte-size';
import { type Check, degraded, failed, type Finding, ok } from '../../platform/health/check';
import { sqliteFile } from './database.check';

const MIB = 1_048_576;
const LEAST_FREE = 64 * MIB;
const FEW_FREE = 1_024 * MIB;
/** SQLite checkpoints the log at 4 MiB, unless a long read prevents that. */
const LARGE_WAL = 256 * MIB;

/** Types of NFS, SMB and CIFS in statfs(2). */
const NETWORK_FILESYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** Checks the folder of the SQLite file: it exists, is writable, has room, and is closed to others. */
export const DISK: Check<CheckContext> = {
  name: 'disk',
  needs: 'settings',
  limitMs: 5_000,
  check({ settings }) {
    const file = sqliteFile(settings.databaseUrl);
    if (file === undefined) return [];
    const folder = dirname(file);
    if (!existsSync(folder)) return [checkMissing(folder)];
    const size = sizeOf(file);
    const findings = [
      ...checkAccess(folder, file),
      ...checkSpace(statfsSync(folder), size),
      ...checkFiles(file, settings.nodeEnv === 'production'),
    ];
    if (findings.length > 0) return findings;
    const { bavail, bsize } = statfsSync(folder);
    return [ok(`${folder} is writable and has ${byteSize(bavail * bsize)} free.`)];
  },
};

function checkMissing(folder: string): Finding {
  let existing = dirname(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  return isAccessible(existing, constants.W_OK | constants.X_OK)
    ? degraded(`The folder ${folder} does not exist.`, 'The service creates it at its first start.')
    : failed(
        `The folder ${folder} does not exist, and this user cannot create it in ${existing}.`,
        'Create the folder, and make the user of the service its owner.',
      );
}

function checkAccess(folder: string, file: string): Finding[] {
  const advice =
    'Make the user of the service the owner of the folder and its files, on a writable file system.';
  if (!isAccessible(folder, constants.W_OK | constants.X_OK)) {
    return [failed(`This user cannot write to the folder ${folder}.`, advice)];
  }
  return [file, `${file}-wal`, `${file}-shm`]
    .filter((each) => existsSync(each) && !isAccessible(each, constants.R_OK | constants.W_OK))
    .map((each) => failed(`This user cannot read and write ${each}.`, advice));
}

/** The free space of a file system, as statfs(2) reports it. */
export interface Space {
  readonly type: number;
  readonly bsize: number;
  readonly bavail: number;
  readonly files: number;
  readonly ffree: number;
}

/** @param size size of the database in bytes: a backup needs as much again */
export function checkSpace({ type, bsize, bavail, files, ffree }: Space, size: number): Finding[] {
  const free = bavail * bsize;
  const findings: Finding[] = [];
  if (NETWORK_FILESYSTEMS.has(type)) {
    findings.push(
      failed(
        'The database is on a network file system, where the write-ahead log of SQLite does not work.',
        'Move the database to a local disk, or use PostgreSQL.',
      ),
    );
  }
  if (free < LEAST_FREE) {
    findings.push(
      failed(`Only ${byteSize(free)} are free: writes will fail.`, 'Free some space, or move the database.'),
    );
  } else if (free < Math.max(FEW_FREE, size)) {
    findings.push(
      degraded(
        `${byteSize(free)} are free, and the database has ${byteSize(size)}.`,
        'Free some space: a backup beside the database needs as much as the database.',
      ),
    );
  }
  if (files > 0 && ffree === 0) {
    findings.push(
      failed(
        'The file system has no room for more files.',
        'Remove files: SQLite creates files beside the database.',
      ),
    );
  }
  return findings;
}

function checkFiles(file: string, isProduction: boolean): Finding[] {
  const findings: Finding[] = [];
  const wal = sizeOf(`${file}-wal`);
  if (wal > LARGE_WAL) {
    findings.push(
      degraded(
        `The write-ahead log has ${byteSize(wal)}: a process has read the database for a long time, or still does.`,
        'Find the process that has the file open; the log shrinks when the process has ended.',
      ),
    );
  }
  const { mode = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  const open = isProduction ? 0o007 : 0o002;
  if (process.platform !== 'win32' && (mode & open) !== 0 && (statSync(dirname(file)).mode & 0o001) !== 0) {
    findings.push(
      degraded(
        `Every user of this machine can ${(mode & 0o002) !== 0 ? 'change' : 'read'} ${file}.`,
        `Run "chmod 600 ${file}*" and "chmod 700 ${dirname(file)}".`,
        `chmod 600 ${file}*`,
        `chmod 700 ${dirname(file)}`,
      ),
    );
  }
  return findings;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
