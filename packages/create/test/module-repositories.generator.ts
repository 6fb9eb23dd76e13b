import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folders.ts';
import { Generator } from './support/generator.ts';

const ROOT = join(__dirname, '..', '..', '..');
const FOLDER = join(makeFolder(), 'petstore-coupons');

describe('npm run generate -- <command> --folder <repository of a module>', () => {
  const generator = new Generator();
  afterAll(() => generator.end());

  const run = (program: string, ...args: string[]) =>
    generator.run(join(ROOT, 'packages', 'create', 'src', program), ROOT, args);
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
      (await run('generate.ts', 'page', 'coupons', 'expiring', '--folder', folder)).stderr;
    expect(await refused('src')).toBe(
      'There is no repository of a module in src: npm run new-module writes one.\n',
    );
    expect(await refused(FOLDER)).toBe(
      `The platform is not installed in ${FOLDER}: run npm install there.\n`,
    );
    symlinkSync(join(ROOT, 'node_modules'), join(FOLDER, 'node_modules'));
  });

  it('imports the packages of the platform, once each', async () => {
    expect(await succeed('page', 'coupons', 'expiring')).toContain(
      `Next: npm run types, npm test, in ${FOLDER}`,
    );
    for (const file of ['expiring.controller.ts', 'dto/expiring-form.dto.ts', 'expiring.spec.ts']) {
      const text = read(`coupons/${file}`);
      const imported = [...text.matchAll(/ from '(@petstore\/[^']+)'/g)].map(([, from]) => from);
      expect({ file, imported }).toEqual({ file, imported: [...new Set(imported)] });
      expect(text).not.toMatch(/ from '(\.\.\/)+(platform|test)\//);
    }
  });

  it('adds a page as in a service', async () => {
    expect(read('coupons/expiring.spec.ts')).toContain("startTestService('sqlite')");
    expect(read('index.ts')).toContain("export { ExpiringFormDto } from './coupons/dto/expiring-form.dto';");
    expect(read('coupons/coupons.module.ts')).toContain(
      'controllers: [CouponsController, ExpiringController],',
    );
    expect(existsSync(join(FOLDER, 'src', 'coupons', 'expiring.eta'))).toBe(true);
    expect(await succeed('page', 'coupons', 'expiring')).toEqual([
      'coupons already have the page expiring: nothing was changed.',
    ]);
  });

  it('is refused for a migration, which only the built service can tell', async () => {
    expect((await generate('migration', 'index-percent-of-coupons')).stderr).toBe(
      'The migration of a module in a repository of its own is written by hand (docs/day-two.md).\n',
    );
  });

  it('adds a second module, which the package exports and the tests of all start', async () => {
    const fields = 'code:string(max=20) couponId:ref(coupons)? petId:ref(pets)?';
    const module = ['feature', 'gift-cards', '--fields', fields];
    await succeed(...module);
    expect(read('gift-cards/gift-card.entity.ts')).toContain(
      "@ForeignKey('Pet', { name: 'fk_gift_cards_pet_id' })",
    );
    expect(read('index.ts')).toContain("export { GiftCardsModule } from './gift-cards/gift-cards.module';");
    expect(read('gift-cards/gift-cards.module.ts')).toMatch(
      /entities: \[GiftCard\],\s+migrations: \[CreateGiftCards\d{13}\],/,
    );
    expect(read('gift-cards/gift-cards.spec.ts')).toContain('startTestService(engine)');
    expect(await succeed(...module)).toEqual(['The feature gift-cards already exists: nothing was changed.']);
  });

  it('adds a nested collection', async () => {
    await succeed('feature', 'uses', '--parent', 'coupons', '--fields', 'at:date-time');
    expect(read('uses/uses.module.ts')).toContain('imports: [CouponsModule],');
    expect(read('index.ts')).toContain("export { UsesModule } from './uses/uses.module';");
  });

  it('updates what was generated, and keeps what was edited', async () => {
    expect(await succeed('update', '--all')).toEqual(['Everything is up to date.']);
    const path = 'coupons/coupons.errors.ts';
    const errors = read(path);
    const record = read('coupons/.generated.json');
    const write = (file: string, text: string) => writeFileSync(join(FOLDER, 'src', file), text);
    // As the templates of an earlier version wrote it.
    const former = (text: string) => text.replaceAll('No coupon has this couponId.', 'No such coupon.');
    write('coupons/.generated.json', former(record));
    write(path, `${former(errors)}\n// Ours.\n`);
    expect(await succeed('update', 'coupons')).toContain(`src/${path} keeps its edits.`);
    expect(read(path)).toBe(`${errors}\n// Ours.\n`);
    expect(read('coupons/.generated.json')).toBe(record);
  });

  it('gets the record that updates start from, where it has none', async () => {
    const path = join(FOLDER, 'src', 'coupons', '.generated.json');
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: object };
    rmSync(path);
    expect((await generate('update', 'coupons')).stderr).toBe(
      'src/coupons has no record of what was generated, which updates start from. Write one with the command that generated it and --record.\n',
    );
    await succeed('feature', 'coupons', '--fields', 'code:string(max=20) percent:integer', '--record');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ files });
    expect(await succeed('update', 'coupons')).toEqual(['Everything is up to date.']);
  });
});
