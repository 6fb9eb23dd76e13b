import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectCopy } from '../modules/support/project-copy';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

const ERRORS = 'src/pets/pets.errors.ts';
const MESSAGE = 'No pet has this petId.';

let copy: ProjectCopy;
let service: ServiceProcess;

beforeAll(async () => {
  copy = new ProjectCopy();
  const command = [process.execPath, join('tools', 'start-dev.mjs')];
  service = await ServiceProcess.start({}, { cwd: copy.folder, command });
  await until(() => service.stdout.includes('Watching for file changes'));
});
afterAll(async () => {
  const { code } = await service.kill('SIGTERM');
  await endServiceProcesses();
  copy.dispose();
  expect(code).toBe(0);
});

/** Saves the errors of pets with another message, and with more at their end. */
function save(message: string, more = ''): void {
  copy.write(ERRORS, copy.read(ERRORS).replace(/message: .*/, `message: '${message}',`) + more);
}

async function messageOfService(): Promise<unknown> {
  const response = await service.fetch('/v1/pets/9', service.printedKey as string);
  return ((await response.json()) as { message: unknown }).message;
}

describe('npm run start:dev', () => {
  it('serves what is saved on the same ports, with the same rows', async () => {
    const key = service.printedKey as string;
    expect(await messageOfService()).toBe(MESSAGE);
    await service.post('/v1/pets', key, '{"name":"Rex","categoryId":3,"status":"available"}');
    save('Changed.');
    await until(async () => (await messageOfService()) === 'Changed.');
    // Kept connections lead to the process before for a moment, which refuses to respond.
    await until(async () => (await service.fetch('/v1/pets/1', key)).status === 200);
    expect((await fetch(`${service.managementUrl}/health/ready`)).status).toBe(200);
  });

  it('serves each of several saves by which an editor puts a new file in the place of the old one', async () => {
    const file = join(copy.folder, ERRORS);
    for (const message of ['First.', 'Second.', 'Third.']) {
      writeFileSync(`${file}.saved`, copy.read(ERRORS).replace(/message: .*/, `message: '${message}',`));
      renameSync(`${file}.saved`, file);
      await until(async () => (await messageOfService()) === message);
    }
  });

  it('serves what is saved with a fault in types, and shows the line', async () => {
    save('Faulty.', "export const count: number = 'none';\n");
    await until(async () => (await messageOfService()) === 'Faulty.');
    const line = copy.read(ERRORS).split('\n').length - 1;
    await until(() => service.stdout.includes(`${ERRORS}(${line},14): error TS2322`));
  });

  it('goes on as before when what is saved cannot start, and shows the line', async () => {
    save('Never.', 'export const text = (undefined as unknown as Error).message;\n');
    await until(() => service.stdout.includes('so the version before goes on'));
    const line = copy.read(ERRORS).split('\n').length - 1;
    expect(service.stderr).toContain(join(copy.folder, `${ERRORS}:${line}`));
    expect(await messageOfService()).toBe('Faulty.');
  });

  it('serves the next change after one that could not start', async () => {
    copy.write(ERRORS, copy.read(ERRORS).replace(/^export const (?:text|count).*\n/gm, ''));
    save('Mended.');
    await until(async () => (await messageOfService()) === 'Mended.');
  });

  it('serves a template that is saved', async () => {
    const template = 'src/platform/openapi/guide/quick-start.md';
    copy.write(template, `Read this first.\n\n${copy.read(template)}`);
    await until(async () =>
      (await (await fetch(`${service.url}/docs/guide`)).text()).includes('Read this first.'),
    );
  });

  it('removes the output of a source that is removed, which would be found by its place', async () => {
    copy.write('src/pets/late.entity.ts', 'export const late = 1;\n');
    const output = join(copy.folder, 'dist', 'src', 'pets', 'late.entity.js');
    await until(() => existsSync(output));
    copy.remove('src/pets/late.entity.ts');
    await until(() => !existsSync(output));
  });
});
