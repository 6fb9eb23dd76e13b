import type { CommandResult } from '../../../test/support/processes/command.ts';
import { Project } from './support/project.ts';

const FIELDS =
  'petId:ref(pets) quantity:integer weight:number? total:int64? shipDate:date-time? day:date? code:uuid? paid:boolean status:enum(placed|in-progress)? parentId:ref(orders)? note:string(personal)?' +
  " sku:string(pattern='^[A-Z]{3}$',unique) price:decimal(10,2,min=0,default=9.5) state:enum(New York=new-york|n/a=none,default=none,read-only) origin:string(max=20,create-only,description=Where it's from)?" +
  ' tags:string(max=30,max-items=20)[] lines:object(petId:ref(pets),count:integer(min=1,max=10),kind:enum(a|b)?,min-items=1)[] serials:int64[]? colours:enum(red|green,default=[])[] costs:decimal(6,2,default=\'["1.5"]\')[]';
const NEXT = 'Next: npm run artefacts, npm run types, npm test -- src/orders';
const SCOPES =
  'Existing keys lack the new scopes. Add them to the scopes of a key: npm run -s petstore -- keys update <id> --scopes <scopes>,orders:read,orders:write';
const LINE = "export { OrdersModule } from './orders/orders.module';\n";

/** Runs the generator and expects that it did its work. */
async function generate(project: Project, name: string, fields: string, ...more: string[]): Promise<string> {
  return outputOf(await project.generate('feature', name, '--fields', fields, ...more));
}

function outputOf({ code, stdout, stderr }: CommandResult): string {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The paths on lines such as `CREATE src/orders/orders.module.ts`. */
function pathsOf(stdout: string, verb: 'CREATE' | 'UPDATE'): string[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith(`${verb} `));
  return lines.map((line) => line.slice(verb.length + 1));
}

/** The files that are new or have another text than before. */
function changesOf(project: Project, before: ReadonlyMap<string, string>): string[] {
  return [...project.sources()].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
}

describe('npm run generate -- feature', () => {
  const project = new Project();
  const before = project.sources();
  let stdout: string;

  beforeAll(async () => {
    stdout = outputOf(await project.generateByCommand('feature', 'order', '--fields', FIELDS));
  });

  it('lists every file it creates or changes, and what to do next', () => {
    const created = pathsOf(stdout, 'CREATE');
    expect(created).toEqual(
      expect.arrayContaining([
        'src/orders/order-status.ts',
        'src/orders/order.entity.ts',
        'src/orders/orders.admin.ts',
        'src/orders/orders.module.ts',
        expect.stringMatching(/^src\/migrations\/\d{13}-create-orders\.ts$/),
      ]),
    );
    expect(pathsOf(stdout, 'UPDATE')).toEqual(['src/features.ts']);
    expect(changesOf(project, before)).toEqual([...created, 'src/features.ts'].sort());
    expect(stdout.endsWith(`\n${SCOPES}\n${NEXT}\n`)).toBe(true);
  });

  it('adds one line to features.ts, after the others', () => {
    expect(project.read('src/features.ts')).toBe(`${before.get('src/features.ts')}${LINE}`);
  });

  it('does not make the first text the title of a record', () => {
    expect(project.read('src/orders/orders.admin.ts')).not.toContain('title');
  });

  it("generates code that shows TypeORM's own repository", () => {
    expect(project.read('src/orders/orders.repository.ts')).toContain('`this.repository.findBy(');
  });

  it('generates formatted files that compile with the whole project', async () => {
    const compiled = await project.run('@typescript/native/bin/tsc', '--noEmit', '-p', 'test/tsconfig.json');
    expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
    const checked = await project.run(
      'prettier/bin/prettier.cjs',
      '--list-different',
      ...pathsOf(stdout, 'CREATE'),
    );
    expect(checked).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('says so when everything exists already, and changes nothing', async () => {
    const there = project.sources();
    expect(await generate(project, 'Orders', FIELDS)).toBe(
      'The feature orders already exists: nothing was changed.\n',
    );
    expect(project.sources()).toEqual(there);
  });

  it('adds the line when only that is missing', async () => {
    const there = project.sources();
    project.write('src/features.ts', project.read('src/features.ts').replace(LINE, ''));
    expect(await generate(project, 'orders', FIELDS)).toBe(`UPDATE src/features.ts\n${NEXT}\n`);
    expect(project.sources()).toEqual(there);
  });

  it.each([
    ['other fields', ['orders', '--fields', `${FIELDS} more:string`]],
    ['an enum more', ['orders', '--fields', `kind:enum(a|b) ${FIELDS}`]],
  ])('refuses %s for an existing feature', async (_title, args) => {
    const there = project.sources();
    const path = [...there.keys()].find((each) => each.endsWith('-create-orders.ts'));
    expect(await project.generate('feature', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The folder src/orders already exists, and ${path} differs from what these options would generate.\n`,
    });
    expect(project.sources()).toEqual(there);
  });

  it('reserves its names against other features', async () => {
    expect(await project.generate('feature', 'order-statuses', '--fields', 'note:string')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The name OrderStatus is taken: src/orders/order-status.ts has it.\n',
    });
  });

  it('makes records belong to the client that adds them', async () => {
    expect(await project.generate('feature', 'receipts', '--owned', '--fields', 'ownerId:string')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ownerId is the owner of each record; choose another name for the field.\n',
    });
    const created = pathsOf(
      await generate(project, 'receipts', 'code:string(max=20,unique,sort) total:integer(range)', '--owned'),
      'CREATE',
    );
    const migration = created.find((path) => path.endsWith('-create-receipts.ts')) ?? '';
    for (const [path, owner] of [
      ['src/receipts/receipt.entity.ts', '@OwnerColumn()'],
      ['src/receipts/receipt.entity.ts', "['ownerId', 'code'], { unique: true }"],
      [
        'src/receipts/receipt.entity.ts',
        "@Index('idx_receipts_owner_id_code_id', ['ownerId', 'code'], { synchronize: false })",
      ],
      ['src/receipts/receipt.entity.ts', "['ownerId', 'total', 'id']"],
      [migration, "columnNames: ['owner_id', 'id']"],
      [migration, "columnNames: ['owner_id', 'total', 'id']"],
      [migration, "ahead: ['owner_id']"],
      [migration, "columnNames: ['owner_id', 'code'], isUnique: true"],
      ['src/receipts/receipts.spec.ts', 'to this client alone'],
      ['src/receipts/.generated.json', '"owned": true'],
    ] as const) {
      expect([path, project.read(path)]).toEqual([path, expect.stringContaining(owner)]);
    }
    expect(project.read('src/receipts/receipts.admin.ts')).not.toContain('creation:');
  });

  it('gives the next migration a time after every other', async () => {
    const future = 'src/migrations/9000000000000-later.ts';
    project.write(future, 'export class Later9000000000000 {}\n');
    expect(pathsOf(await generate(project, 'sheep', 'orderId:ref(orders)'), 'CREATE')).toContain(
      'src/migrations/9000000000001-create-sheep.ts',
    );
    expect(project.read('src/features.ts')).toMatch(
      /export \{ SheepModule \} from '\.\/sheep\/sheep\.module';\n$/,
    );
  });
});

describe('npm run generate with --dry-run', () => {
  it('prints what it would do and writes nothing', async () => {
    const project = new Project();
    const before = project.sources();
    const stdout = await generate(project, 'visits', 'at:date-time', '--dry-run', '--operations', 'create');
    expect(pathsOf(stdout, 'CREATE')).toContain('src/visits/visits.module.ts');
    // Only the list needs it; what operators need is there whatever the public interface offers.
    expect(pathsOf(stdout, 'CREATE')).not.toContain('src/visits/dto/list-visits.query.ts');
    expect(pathsOf(stdout, 'CREATE')).toContain('src/visits/visits.admin.ts');
    expect(stdout).toMatch(/\nUPDATE src\/features\.ts\nDry run: nothing was written\.\n$/);
    expect(project.sources()).toEqual(before);
  });
});
