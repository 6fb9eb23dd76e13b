import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../support/folders';
import { PROJECT } from './support/dockerfile';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `deploy/kubernetes/migrate` on a cluster whose job has these conditions, look by look. */
async function migrate(...conditions: string[]): Promise<Outcome & { readonly calls: string[] }> {
  const folder = makeFolder();
  const kubectl = join(folder, 'kubectl');
  writeFileSync(join(folder, 'conditions'), conditions.map((line) => `${line}\n`).join(''));
  writeFileSync(
    kubectl,
    `#!/bin/sh
cd "${folder}"
echo "$*" >> calls
case $1 in
  get) [ -s conditions ] || { echo "The connection was refused." >&2; exit 1; }
       head -n 1 conditions; sed -i 1d conditions ;;
  logs) echo "relation pets is locked" ;;
esac
`,
  );
  chmodSync(kubectl, 0o755);
  const words = ['deploy/kubernetes/example/migration', 'petstore'];
  const outcome = await promisify(execFile)(join(PROJECT, 'deploy/kubernetes/migrate'), words, {
    cwd: PROJECT,
    env: { PATH: `${folder}:${process.env.PATH}`, LOOK_SECONDS: '0' },
  }).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => error as Outcome,
  );
  const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
  return { ...outcome, calls };
}

describe('deploy/kubernetes/migrate', () => {
  it('replaces the last job and succeeds when the new one is complete', async () => {
    const { code, calls } = await migrate('', '', 'SuccessCriteriaMet', 'SuccessCriteriaMet Complete');
    expect(code).toBe(0);
    expect(calls.slice(0, 2)).toEqual([
      'delete job petstore-migration --namespace petstore --ignore-not-found',
      'apply --kustomize deploy/kubernetes/example/migration',
    ]);
    expect(calls.filter((call) => call.startsWith('get '))).toHaveLength(4);
  });

  it('ends with 1 and prints the log of the job as soon as it has failed', async () => {
    const { code, stdout, stderr, calls } = await migrate('', 'FailureTarget', 'FailureTarget Failed');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('relation pets is locked') });
    expect(stderr).toBe('The migration has failed: its log is above. Nothing was rolled out.\n');
    expect(calls.at(-1)).toMatch(/^logs .*job\/petstore-migration/);
  });

  it('ends with the message of kubectl when the cluster is away', async () => {
    expect(await migrate('')).toMatchObject({ code: 1, stderr: 'The connection was refused.\n' });
  });
});
