import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { type CodeBlock, codeBlocksOf } from '../../modules/support/guide-blocks';
import { makeFolder } from '../../support/folders';
import { endServiceProcesses, ServiceProcess } from '../../support/processes/service-process';
import { shellWords } from '../../support/processes/shell-words';
import { until } from '../../support/until';

const PROJECT = join(__dirname, '..', '..', '..');

/** The pages with commands that are for another machine than this one, besides those of the command line. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'install, build and test a checkout, as CI does',
  'README.md': 'install, start and test a checkout, as CI does',
  'deploy/README.md': 'need Docker or a cluster',
  'docs/living-with-a-fork.md': 'merge a remote repository',
};

/** Commands of the command line that start it once more, beside themselves. */
const STARTING_PROCESSES = new Set(['doctor', 'doctor --json', 'db check']);

/** Commands that go on until they are stopped; the specs of each run and stop them. */
const ENDLESS = /^(?:db backup .*--every|requests tail)/;

const execute = promisify(execFile);

function read(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

/** The pages for operators, in the order of their list. */
function operationsPages(): string[] {
  return [...read('docs/operations.md').matchAll(/\]\((operations\/[\w-]+\.md)\)/g)].map(
    ([, page]) => `docs/${page}`,
  );
}

/** The blocks of commands in a page that no other test runs by their names. */
function shellBlocksOf(page: string): CodeBlock[] {
  return codeBlocksOf(read(page)).filter(({ language, note }) => language === 'sh' && note === '');
}

/** The calls of the command line in some blocks, as a shell reads them. */
function petstoreCallsIn(blocks: readonly CodeBlock[]): string[][] {
  const lines = blocks
    .flatMap(({ text }) => text.replaceAll('npm run -s petstore --', 'petstore').split('\n'))
    .filter((line) => line.startsWith('petstore '));
  return shellWords('petstore', lines.join('\n').replaceAll(/<\w+>/g, "'$&'"));
}

describe('The commands in the docs', () => {
  const folder = makeFolder();
  /** In the folder of the service, and in another one, where no page finds the files of the other. */
  const cli = new CliInProcess({}, folder);
  const database = `sqlite:${join(folder, 'data', 'petstore.sqlite')}`;
  const elsewhere = new CliInProcess({ DATABASE_URL: database });
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await ServiceProcess.start({}, { cwd: folder });
  });
  afterAll(endServiceProcesses);

  /** Runs commands as they stand; what is asked at a terminal is answered with yes. */
  async function succeed(calls: readonly (readonly string[])[], within = cli): Promise<void> {
    for (const words of calls) {
      const command = words.join(' ');
      if (ENDLESS.test(command)) continue;
      const runner = STARTING_PROCESSES.has(command) ? within.process : within;
      const { code, stdout, stderr } = await runner.run(...(await completed(words)));
      expect({ command, code, said: code === 0 ? '' : stdout + stderr }).toEqual({
        command,
        code: 0,
        said: '',
      });
    }
  }

  /** A command with what its reader fills in. */
  async function completed(words: readonly string[]): Promise<string[]> {
    const [group, command] = words;
    const isOfKey = group === 'keys' || words.includes('keys/<id>');
    const id = isOfKey && words.some((word) => word.includes('<id>')) ? await lastKey() : '1';
    const filledIn: Readonly<Record<string, string>> = {
      '<id>': id,
      'keys/<id>': `keys/${id}`,
      '<old>': join(PROJECT, 'docs', 'openapi.json'),
      '/srv/checkout': folder,
      'https://api.example.com/docs/openapi.json': `${service.url}/docs/openapi.json`,
    };
    const typed = words.map((word) => filledIn[word] ?? word);
    return ['update-all', 'erase'].includes(command ?? '') ? [...typed, '--yes'] : typed;
  }

  async function lastKey(): Promise<string> {
    const keys = await cli.json<{ id: string }[]>('keys', 'list');
    return keys.at(-1)?.id ?? '';
  }

  /** Runs a block whose requests are for the service that README.md starts. */
  async function runRequests(script: string): Promise<string> {
    const ours = script
      .replace('petk_...', service.printedKey as string)
      .replaceAll('http://127.0.0.1:3000', service.url);
    const env = { ...process.env, PETSTORE_API_KEY: service.printedKey };
    return (await execute('bash', ['-euo', 'pipefail', '-c', ours], { env })).stdout;
  }

  /** A text of the service as README.md has it: of the first start, on the default ports. */
  function asShown(text: string): string {
    return text
      .replaceAll(service.url, 'http://127.0.0.1:3000')
      .replaceAll(service.managementUrl, 'http://127.0.0.1:3001')
      .replaceAll(service.printedKey as string, 'petk_...')
      .replaceAll('\r', '');
  }

  it('print what README.md shows: the start guide, its request, and the integer that no tool rounds', async () => {
    const blocks = codeBlocksOf(read('README.md'));
    const shown = (language: string) => blocks.find((block) => block.language === language)?.text;
    expect(`\n${shown('text')}`).toBe(asShown(service.stdout));

    const [, request = ''] = /^ {2}(curl .+)$/m.exec(shown('text') ?? '') ?? [];
    const response = asShown(await runRequests(`${request} -i`));
    for (const line of (shown('http') ?? '').split('\n').filter(Boolean)) {
      expect(response.split('\n')).toContain(line);
    }

    const [integer] = shellBlocksOf('README.md').filter(({ text }) => text.includes('curl '));
    const compact = (json: string) => json.replaceAll(/[{} \n]/g, '');
    expect(compact(await runRequests(integer?.text ?? ''))).toBe(compact(shown('json') ?? ''));
  });

  it('add, list and get an animal: the requests of docs/how-do-i.md', async () => {
    const [requests] = shellBlocksOf('docs/how-do-i.md').filter(({ text }) => text.includes('/v1/pets'));
    const stdout = await runRequests(requests?.text ?? '');
    expect(stdout.match(/"name":"Rex"/g)).toHaveLength(4);
    expect(stdout.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('work as written in docs/operations', async () => {
    const pet = ['pets', 'create', '--name', 'test', '--category-id', '1'];
    // A page changes the 12 pets without a status, and one page before has added such a pet, too.
    const { items } = await cli.json<{ items: unknown[] }>('pets', 'list', '--not-set', 'status');
    await succeed(Array.from({ length: 12 - items.length }, () => pet));
    await succeed([
      [...pet, '--status', 'sold'],
      ['pets', 'export', '--output', join(elsewhere.folder, 'pets.csv')],
    ]);
    const calls = petstoreCallsIn(operationsPages().flatMap(shellBlocksOf));
    expect(calls.length).toBeGreaterThan(40);
    const [, , requestId = ''] = calls.find((words) => words.slice(0, 2).join(' ') === 'requests show') ?? [];
    await service.fetch('/v1/pets/1', service.printedKey as string, {
      headers: { 'x-request-id': requestId },
    });
    await until(async () => (await cli.run('requests', 'show', requestId)).code === 0);
    await succeed(calls, elsewhere);
  });

  it('work as written in docs/how-do-i.md', async () => {
    const calls = petstoreCallsIn(shellBlocksOf('docs/how-do-i.md'));
    expect(calls.length).toBeGreaterThan(20);
    await succeed(calls, new CliInProcess({ DATABASE_URL: database }));
  });

  it('work as written in README.md', async () => {
    const calls = petstoreCallsIn(shellBlocksOf('README.md'));
    expect(calls.length).toBeGreaterThan(2);
    await succeed(calls);
  });

  it('leave the lines in the log that docs/operations/watch.md shows', async () => {
    const [shown] = codeBlocksOf(read('docs/operations/watch.md')).filter(
      ({ language }) => language === 'json',
    );
    const { requestId, ...example } = JSON.parse(shown?.text ?? '') as Record<string, unknown>;
    await service.fetch('/v1/pets/1', service.printedKey as string, {
      headers: { 'x-request-id': requestId as string },
    });
    const line = () => service.log().find((one) => one['requestId'] === requestId);
    await until(() => line() !== undefined);
    const { level, service: name, method, route, status, msg } = example;
    expect(line()).toMatchObject({ level, service: name, method, route, status, msg });
    // A request that waited for the process says how long.
    const members = Object.keys(line() ?? {}).filter((member) => member !== 'waitMs');
    expect(members).toEqual(Object.keys(JSON.parse(shown?.text ?? '') as object));
  });

  it.each(Object.entries(ELSEWHERE))(
    'are well-formed and call only what exists: those of %s that %s',
    async (page) => {
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
      const blocks = shellBlocksOf(page).map(({ text }) => text.replaceAll(/<\w+>/g, 'x'));
      for (const text of blocks) {
        await execute('bash', ['-n', '-c', text]);
        for (const [, name = ''] of text.matchAll(/\bnpm run (?:-s )?([\w:]+)/g)) {
          expect([name, name in scripts]).toEqual([name, true]);
        }
        for (const [path] of text.matchAll(/(?<![\w./-])(?:deploy|packages|src)\/[\w./-]+/g)) {
          expect([path, existsSync(join(PROJECT, path))]).toEqual([path, true]);
        }
      }
      expect(blocks).not.toEqual([]);
    },
  );

  it('work as written in a container: those of deploy/README.md', async () => {
    const lines = shellBlocksOf('deploy/README.md').flatMap(({ text }) => text.split('\n'));
    const calls = lines.flatMap(
      (line) => /^docker compose exec petstore (petstore .*)$/.exec(line)?.[1] ?? [],
    );
    expect(calls).not.toEqual([]);
    await succeed(shellWords('petstore', calls.join('\n')));
  });
});
