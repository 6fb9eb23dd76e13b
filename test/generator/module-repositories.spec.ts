import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folders';
import { Generator } from './support/generator';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(makeFolder(), 'petstore-coupons');

describe('npm run generate -- <command> --folder <repository of a module>', () => {
  const generator = new Generator();
  afterAll(() => generator.end());

  const run = (program: string, ...args: string[]) =>
    generator.run(join(ROOT, 'schematics', program), ROOT, args);
  const generate = (...args: string[]) => run('generate.ts', ...args, '--folder', FOLDER);
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await generate(...args);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout.trimEnd().split('\n');
  };
  const read = (path: string) => readFileSync(join(FOLDER, 'src', path), 'utf8');

  beforeAll(async () => {
    const names = ['coupons', '--package', '@acme/petstore-coupons', '--folder', FOLDER];
    const made = await run('new-module.ts', ...names, '--fields', 'code:string(max=20) percent:integer');
    expect(made.code).toBe(0);
  });

  it('is refused where no module is, or its packages are missing', async () => {
    const refused = async (folder: string) =>
      (await run('generate.ts', 'index', 'coupons', 'percent', '--folder', folder)).stderr;
    expect(await refused('src')).toBe(
      'There is no repository of a module in src: npm run new-module writes one.\n',
    );
    expect(await refused(FOLDER)).toBe(
      `The platform is not installed in ${FOLDER}: run npm install there.\n`,
    );
    symlinkSync(join(ROOT, 'node_modules'), join(FOLDER, 'node_modules'));
  });

  it('writes a migration that the module declares and exports', async () => {
    expect(await succeed('unique', 'coupons', 'code')).toContain(
      `Next: npm run types, npm test, in ${FOLDER}`,
    );
    const [, name] = /export \{ (MakeCodeOfCouponsUnique\d{13}) \}/.exec(read('index.ts')) ?? [];
    expect(read('coupons/coupons.module.ts')).toMatch(new RegExp(`migrations: \\[[^\\]]*${name}[,\\s]*\\]`));
    expect(read('coupons/coupons.module.ts')).toContain(`import { ${name} } from '../migrations/`);
  });

  it('imports the packages of the platform, once each', async () => {
    await succeed('operation', 'coupons', 'redeem', '--if-match', '--idempotent');
    await succeed('field', 'coupons', 'note:string(max=50)? kind:enum(whole|part)?');
    for (const file of [
      'coupons.controller.ts',
      'coupons.service.ts',
      'coupon.entity.ts',
      'coupons.spec.ts',
    ]) {
      const text = read(`coupons/${file}`);
      const imported = [...text.matchAll(/ from '(@petstore\/[^']+)'/g)].map(([, from]) => from);
      expect({ file, imported }).toEqual({ file, imported: [...new Set(imported)] });
      expect(text).not.toMatch(/ from '(\.\.\/)+(platform|test)\//);
    }
    expect(read('coupons/coupons.controller.ts')).toContain("@Post(':couponId/redeem')");
  });

  it('adds a page whose test starts the module', async () => {
    await succeed('page', 'coupons', 'expiring');
    expect(read('coupons/expiring.spec.ts')).toContain("startTestService('sqlite', { CouponsModule })");
    expect(read('coupons/expiring.spec.ts')).toContain("import { CouponsModule } from './coupons.module';");
    expect(read('coupons/coupons.module.ts')).toContain(
      'controllers: [CouponsController, ExpiringController],',
    );
    expect(existsSync(join(FOLDER, 'src', 'coupons', 'expiring.eta'))).toBe(true);
    expect(await succeed('page', 'coupons', 'expiring')).toEqual([
      'coupons already have the page expiring: nothing was changed.',
    ]);
  });

  it('is refused when the module has no list for a migration', async () => {
    const path = join(FOLDER, 'src', 'coupons', 'coupons.module.ts');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/migrations: \[[^\]]*\],/, ''));
    const refused = await generate('index', 'coupons', 'percent');
    writeFileSync(path, text);
    expect(refused.stderr).toBe(
      '@Feature() in src/coupons/coupons.module.ts has no list "migrations": add it, "migrations: []", and run this again.\n',
    );
  });

  it.each(['feature', 'child', 'update'])('is refused for %s, which needs the service', async (schematic) => {
    const words = { feature: ['uses'], child: ['coupons', 'uses'], update: ['coupons'] }[schematic] ?? [];
    expect((await generate(schematic, ...words)).stderr).toBe(
      `${schematic} is for modules of the service: leave out --folder.\n`,
    );
  });
});
