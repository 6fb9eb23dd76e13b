import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { resultOf } from '../support/processes/command';

const ROOT = join(__dirname, '..', '..');

describe('The files that npm run artefacts writes', () => {
  it('are committed as they are written', async () => {
    const check = spawn(process.execPath, [join('tools', 'artefacts.mjs'), '--check'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await resultOf(check)).toMatchObject({ code: 0, stderr: '' });
  });
});
