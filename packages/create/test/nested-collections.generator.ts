import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands.ts';
import { Project } from './support/project.ts';

const RECORDS = ['feature', 'vaccination-records', '--parent', 'pets', '--fields', 'vaccine:string at:date'];

describe('npm run generate -- feature with --parent', () => {
  const project = new Project();

  it('adds a module below the path of another, once', async () => {
    const before = project.sources();
    const lines = await succeed(project, ...RECORDS);
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/,vaccination-records:read,vaccination-records:write$/),
      'Next: npm run artefacts, npm run types, npm test -- src/vaccination-records',
    ]);
    const controller = project.read('src/vaccination-records/vaccination-records.controller.ts');
    expect(controller).toContain("@Controller('pets/:petId/vaccination-records')");
    expect(project.read('src/vaccination-records/dto/new-vaccination-record.dto.ts')).not.toContain('petId');
    expect(JSON.parse(project.read('src/vaccination-records/.generated.json'))).toMatchObject({
      options: { name: 'vaccination-records', parent: 'pets', fields: 'vaccine:string at:date' },
    });
    await expectFormatted(project, changed(project, before));
    expect(await succeed(project, ...RECORDS)).toEqual([
      'The feature vaccination-records already exists: nothing was changed.',
    ]);
  });

  it('gives each added item in its tests another value of each unique field', async () => {
    const fields = 'seal:string(unique,pattern=^[A-C][0-9]$) weight:integer';
    await succeed(project, 'feature', 'parcels', '--parent', 'pets', '--fields', fields);
    const path = '/pets/{petId}/parcels';
    expect(project.read('src/parcels/parcels.samples.ts')).toContain(`collections: { '${path}':`);
    const spec = project.read('src/parcels/parcels.spec.ts');
    expect(spec).toContain(`samples.collections['${path}'].members(OTHERS + ++count)`);
    expect(spec).toContain('service.post(path, await newParcel())');
    expect(spec).toContain("it.each(['seal'])('refuses a %s that another one has'");
  });

  it('accepts an irregular plural', async () => {
    const aurochs = ['aurochs', '--plural', 'aurochsen', '--parent', 'pets', '--fields', 'name:string'];
    await succeed(project, 'feature', ...aurochs);
    expect(project.read('src/aurochsen/aurochsen.controller.ts')).toContain(
      "@Controller('pets/:petId/aurochsen')",
    );
  });

  it.each([
    [
      ['vaccination-records', '--parent', 'pets', '--fields', 'other:string'],
      /^The folder src\/vaccination-records already exists, and \S+ differs /,
    ],
    [
      ['walks', '--parent', 'pets', '--fields', 'petId:int64'],
      /^The field petId already exists: it comes from the path\.$/m,
    ],
    [
      ['walks', '--parent', 'nosuch', '--fields', 'a:string'],
      /^The module "nosuch" does not exist in src: the modules are .*pets/,
    ],
    [
      ['parcels', '--parent', 'parcels', '--fields', 'a:string'],
      /^The field parcelId refers to parcels themselves and must be optional: /,
    ],
    [
      ['walks', '--parent', 'pets', '--fields', 'a:string', '--owned'],
      /^The records of walks are found by their pet, so they cannot belong to clients: leave out --owned or --parent\.$/m,
    ],
    [
      ['walks', '--parent', 'pets', '--fields', 'a:string parts:object(b:string)[]'],
      /^The field parts holds objects, /,
    ],
  ])('refuses %j', async (args, sentence) => {
    const before = project.sources();
    expect(await project.generate('feature', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(sentence) as string,
    });
    expect(project.sources()).toEqual(before);
  });

  it('refuses a parent whose service cannot find a record', async () => {
    const path = 'src/parcels/parcels.service.ts';
    const text = project.read(path);
    project.write(path, text.replace(/async get\(/, 'async find('));
    await expectRefusal(
      project,
      ['feature', 'stamps', '--parent', 'parcels', '--fields', 'a:string'],
      'ParcelsService needs a method get(id), by which a child finds its parcel.',
    );
    project.write(path, text);
  });
});
