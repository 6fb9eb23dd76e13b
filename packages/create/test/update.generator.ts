import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Project } from './support/project.ts';

const TEMPLATE = 'packages/create/src/feature/files/feature/src/__folder__/__folder__.service.ts.template';
const RECORD = 'src/orders/.generated.json';

describe('An update', () => {
  const project = Project.small();
  const controller = 'src/orders/orders.controller.ts';
  const service = 'src/orders/orders.service.ts';
  const events = 'src/orders/orders.events.ts';
  const template = project.read(TEMPLATE);
  const original = new Map<string, string>();

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: project.root });
  const improve = () => project.write(TEMPLATE, template.replaceAll('toDto', 'dtoOf'));
  const edit = (path: string, from: string, to: string) =>
    project.write(path, project.read(path).replace(from, to));

  beforeAll(async () => {
    const args = ['feature', 'orders', '--fields', 'petId:ref(pets) note:string?'];
    expect(await project.generate(...args)).toMatchObject({ code: 0 });
    project.files('src').forEach((text, path) => original.set(path, text));
  });

  beforeEach(() => {
    project.remove('src');
    original.forEach((text, path) => project.write(path, text));
    project.write(TEMPLATE, template);
  });

  it('merges an edited file and says so', async () => {
    edit(service, 'private readonly database', '// Counted.\n    private readonly database');
    improve();
    expect(await project.generate('update', 'Order')).toEqual({
      code: 0,
      stdout: `UPDATE ${service}\nUPDATE ${RECORD}\n${service} keeps its edits.\nNext: npm run artefacts, npm run types, npm test -- src/orders\n`,
      stderr: '',
    });
    expect(project.read(service)).toContain('    // Counted.\n    private readonly database');
    expect(project.read(service)).toContain('return dtoOf(order);');
  });

  it('prints with --dry-run what it would do, with the same exit code, and writes nothing', async () => {
    edit(service, 'return toDto(order);', 'return toDto(await order);');
    improve();
    const before = project.files('src');
    expect(await project.generate('update', 'orders', '--dry-run')).toEqual({
      code: 3,
      stdout: `UPDATE ${service}\nUPDATE ${RECORD}\nCONFLICT in ${service}: one place is marked with <<<<<<< and >>>>>>>.\nDry run: nothing was written.\n`,
      stderr: '',
    });
    expect(project.files('src')).toEqual(before);
  });

  it('marks a conflict as git does', async () => {
    edit(service, 'return toDto(order);', 'return toDto(await order);');
    improve();
    expect(await project.generate('update', 'orders')).toMatchObject({ code: 3, stderr: '' });
    expect(project.read(service)).toContain(
      [
        '<<<<<<< edited',
        '    return toDto(await order);',
        '=======',
        '    return dtoOf(order);',
        '>>>>>>> generated now',
      ].join('\n'),
    );
  });

  it('keeps a deleted file and a deleted line of features.ts deleted, and says so', async () => {
    project.remove(service);
    edit('src/features.ts', "export { OrdersModule } from './orders/orders.module';\n", '');
    improve();
    const { code, stdout } = await project.generate('update', 'orders');
    expect({ code, stdout: stdout.split('\n').slice(0, 3) }).toEqual({
      code: 0,
      stdout: [
        `UPDATE ${RECORD}`,
        `${service} was deleted and was not restored, although its template has changed.`,
        'src/features.ts does not list src/orders and was not changed.',
      ],
    });
    expect(existsSync(join(project.root, service))).toBe(false);
    expect(project.read('src/features.ts')).not.toContain('OrdersModule');
  });

  it('merges an edited module with a nested collection', async () => {
    const records = 'src/vaccination-records/vaccination-records.service.ts';
    const child = [
      'feature',
      'vaccination-records',
      '--parent',
      'pets',
      '--fields',
      'vaccine:string at:date',
    ];
    expect(await project.generate(...child)).toMatchObject({ code: 0 });
    edit(records, 'private readonly database', '// Counted.\n    private readonly database');
    improve();
    expect(await project.generate('update', 'vaccination-records')).toEqual({
      code: 0,
      stdout: `UPDATE ${records}\nUPDATE src/vaccination-records/.generated.json\n${records} keeps its edits.\nNext: npm run artefacts, npm run types, npm test -- src/vaccination-records\n`,
      stderr: '',
    });
    expect(project.read(records)).toContain('    // Counted.\n    private readonly database');
    expect(project.read(records)).toContain('dtoOf(');
    expect(project.read(records)).not.toContain('toDto(');
    expect(await project.generate('update', 'vaccination-records')).toMatchObject({
      code: 0,
      stdout: 'Everything is up to date.\n',
    });
    project.remove('src/vaccination-records/.generated.json');
    expect(await project.generate(...child, '--record')).toEqual({
      code: 0,
      stdout: 'CREATE src/vaccination-records/.generated.json\n',
      stderr: '',
    });
  });

  it('finds a module in another folder', async () => {
    renameSync(join(project.root, 'src/orders'), join(project.root, 'src/purchases'));
    edit('src/features.ts', './orders/', './purchases/');
    improve();
    const { code, stdout } = await project.generate('update', 'purchases');
    expect({ code, stdout: stdout.split('\n').slice(0, 2) }).toEqual({
      code: 0,
      stdout: ['UPDATE src/purchases/orders.service.ts', 'UPDATE src/purchases/.generated.json'],
    });
    expect(existsSync(join(project.root, 'src/orders'))).toBe(false);
  });

  it('merges a module that was formatted by other rules', async () => {
    const settings = project.read('package.json');
    project.write('package.json', settings.replace('"printWidth": 110', '"printWidth": 60'));
    const formatted = await project.run('prettier/bin/prettier.cjs', '--write', 'src/orders');
    expect(formatted).toMatchObject({ code: 0 });
    const { length } = project.read(controller).split('\n');
    edit(controller, 'export class', '// Ours.\nexport class');
    improve();
    // A process of its own: Prettier remembers the rules.
    expect(await project.generateByCommand('update', 'orders')).toMatchObject({ code: 0 });
    expect(project.read(service)).toContain('dtoOf(');
    expect(project.read(controller).split('\n')).toHaveLength(length + 1);
    project.write('package.json', settings);
  });

  it('starts from a record that the old generator writes with --record', async () => {
    const args = ['feature', 'orders', '--fields', 'petId:ref(pets) note:string?', '--record'];
    project.remove(RECORD);
    edit(events, 'export class', '// Ours.\nexport class');
    expect(await project.generate('update', 'orders')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'src/orders has no record of what was generated, which updates start from. Write one with the command that generated it and --record.\n',
    });
    expect(await project.generate(...args)).toEqual({
      code: 0,
      stdout: `CREATE ${RECORD}\n`,
      stderr: '',
    });
    expect(project.read(RECORD)).toBe(original.get(RECORD));
    expect(await project.generate(...args)).toMatchObject({
      code: 1,
      stderr: `${RECORD} already exists: npm run generate -- update starts from it.\n`,
    });
  });

  it.each([
    ['dogs', 'The module src/dogs does not exist.'],
    ['orders', `${RECORD} cannot be read: it needs the members options and files.`],
  ])('refuses %s in one sentence without anything to start from', async (name, sentence) => {
    project.write(RECORD, '{}');
    expect(await project.generate('update', name)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  });

  it('changes no file with uncommitted changes', async () => {
    git('init', '--quiet');
    git('add', 'src');
    git('commit', '--quiet', '-m', 'Add orders');
    improve();
    edit(service, 'The rules', 'All rules');
    const refusal = {
      code: 1,
      stdout: '',
      stderr: `${service} has uncommitted changes: commit or stash them first, so that git can undo the update.\n`,
    };
    expect(await project.generate('update', 'orders')).toEqual(refusal);
    expect(await project.generate('update', '--all', '--dry-run')).toMatchObject({ code: 0 });
    git('commit', '--quiet', '-a', '-m', 'Change orders');
    edit(controller, 'export class', '// Not touched by the update.\nexport class');
    expect(await project.generate('update', '--all')).toMatchObject({ code: 0 });
  });
});
