import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/folders';

/** A wall clock that a process takes for that of its machine, and that can be set while it runs (Debian's libfaketime). */
export class FakeClock {
  private readonly file = join(makeFolder(), 'offset');

  constructor() {
    this.set(0);
  }

  /** What the process needs in its environment. */
  get environment(): Record<string, string> {
    return {
      // The loader puts the folder of the machine's libraries in the place of $LIB.
      LD_PRELOAD: '/usr/$LIB/faketime/libfaketime.so.1',
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1',
      // The time since the start of the machine does not jump: timers go by it.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Sets it so many seconds before or behind the clock of the machine. */
  set(seconds: number): void {
    writeFileSync(this.file, seconds < 0 ? String(seconds) : `+${seconds}`);
  }
}
