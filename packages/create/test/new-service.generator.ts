import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folders.ts';
import { Generator } from './support/generator.ts';

const ROOT = join(__dirname, '..', '..', '..');
const PROGRAM = join(ROOT, 'packages', 'create', 'src', 'new-service.ts');

describe('npm run new-service', () => {
  const generator = new Generator();
  afterAll(() => generator.end());

  it('names its argument when it is missing, or one too many', async () => {
    const usage = { code: 2, stdout: '', stderr: 'Usage: npm run new-service -- <folder>\n' };
    expect(await generator.run(PROGRAM, ROOT, [])).toEqual(usage);
    expect(await generator.run(PROGRAM, ROOT, ['shop', 'store'])).toEqual(usage);
    expect(await generator.run(PROGRAM, ROOT, ['--fields', 'name:string'])).toEqual(usage);
  });

  it('refuses a folder that has files, and leaves them alone', async () => {
    const folder = join(makeFolder(), 'shop');
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), '');
    expect(await generator.run(PROGRAM, ROOT, [folder])).toEqual({
      code: 1,
      stdout: '',
      stderr: `The folder ${folder} already exists and is not empty.\n`,
    });
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });

  it('refuses a folder whose name cannot name a package', async () => {
    const { code, stderr } = await generator.run(PROGRAM, ROOT, [join(makeFolder(), 'My Shop')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        '"My Shop" cannot name a service: use lower case, as in ../shop, because its package has the name of the folder.\n',
    });
  });
});
