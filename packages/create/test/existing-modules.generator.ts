import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands.ts';
import { Project } from './support/project.ts';

const CATALOGUE = 'name:string city:string';

/** As a team left its service: the same rules in a shape that no generator writes. */
const UNRECOGNISABLE = `
const toDto = (supplier: Supplier): SupplierDto =>
  Object.assign({ id: supplier.id }, { name: supplier.name, city: supplier.city });
`;

describe('npm run generate for an existing module', () => {
  const project = new Project();

  beforeAll(async () => {
    await succeed(project, 'feature', 'suppliers', '--fields', CATALOGUE);
  });

  describe('with the command field', () => {
    const WEBSITE = ['field', 'suppliers', 'website:string? kind:enum(shop|farm)?'];

    it('prints its changes with --dry-run, and changes nothing', async () => {
      const before = project.sources();
      const lines = await succeed(project, ...WEBSITE, '--dry-run');
      expect(lines).toContain('UPDATE src/suppliers/supplier.entity.ts');
      expect(lines.at(-1)).toBe('Dry run: nothing was written.');
      expect(project.sources()).toEqual(before);
    });

    it('changes every file that needs it, and keeps manual edits', async () => {
      const service = 'src/suppliers/suppliers.service.ts';
      const entity = 'src/suppliers/supplier.entity.ts';
      project.write(
        service,
        project.read(service).replace('city: supplier.city', "city: supplier.city.trim() || 'unknown'"),
      );
      project.write(entity, project.read(entity).replace('  city!', '  // As on the letterhead.\n  city!'));
      const before = project.sources();
      const lines = await succeed(project, ...WEBSITE);
      const paths = changed(project, before);
      expect(paths).toEqual([
        expect.stringMatching(/migrations\/\d{13}-add-website-and-kind-to-suppliers\.ts$/),
        'src/suppliers/dto/list-suppliers.query.ts',
        'src/suppliers/dto/new-supplier.dto.ts',
        'src/suppliers/supplier-kind.ts',
        'src/suppliers/supplier.entity.ts',
        'src/suppliers/suppliers.service.ts',
        'src/suppliers/suppliers.spec.ts',
      ]);
      expect(lines.at(-1)).toBe('Next: npm run artefacts, npm run types, npm test -- src/suppliers');
      expect(project.read(service)).toContain("city: supplier.city.trim() || 'unknown',\n");
      expect(project.read(service)).toContain('website: supplier.website ?? null,\n');
      expect(project.read(service)).toContain('website: supplier.website ?? undefined,\n');
      expect(project.read(entity)).toContain('// As on the letterhead.\n');
      await expectFormatted(project, paths);
    });

    it('says so when everything exists already, and changes nothing', async () => {
      const before = project.sources();
      expect(await succeed(project, ...WEBSITE)).toEqual([
        'suppliers already have website, kind: nothing was changed.',
      ]);
      expect(project.sources()).toEqual(before);
    });

    it('adds arrays as it adds other fields', async () => {
      const before = project.sources();
      const lines = await succeed(
        project,
        'field',
        'suppliers',
        'tags:string(max=30,max-items=20)[]? hues:enum(red|blue)[]?',
      );
      const paths = changed(project, before);
      const migration = paths.find((path) => path.endsWith('-add-tags-and-hues-to-suppliers.ts')) as string;
      expect(lines).toContain(`CREATE ${migration}`);
      expect(project.read(migration)).toContain('const { array, text } = columnTypes(queryRunner);');
      expect(project.read(migration)).toContain('ALTER TABLE "suppliers" ADD COLUMN "tags" ${array(text)}');
      expect(project.read('src/suppliers/supplier.entity.ts')).toContain(
        '@TextColumn({ array: true, nullable: true })\n  tags!: string[] | null;',
      );
      await expectFormatted(project, paths);
    });

    it.each([
      [
        ['nosuch', 'a:string?'],
        'The module "nosuch" does not exist in src: the modules are pets, suppliers.',
      ],
      [
        ['suppliers', 'website:integer?'],
        'The field website of suppliers already exists, and src/suppliers/dto/new-supplier.dto.ts differs from what this would generate.',
      ],
      [
        ['suppliers', 'phone:string'],
        'The field phone must be optional (phone:…?) or have a default that clients can change: stored suppliers have no value for it.',
      ],
      [
        ['suppliers', 'phone:string(max=30,default=0,unique)'],
        'The field phone cannot be unique: all stored suppliers would get the same value.',
      ],
      [
        ['suppliers', 'balance:decimal(10,2,default=-1)'],
        'The default of the field balance cannot be negative: the databases store a negative default of a decimal in different ways.',
      ],
      [
        ['suppliers', 'website:integer(range)?'],
        'The field website of suppliers already exists, and src/suppliers/dto/new-supplier.dto.ts differs from what this would generate.',
      ],
      [['suppliers', 'webSite:string? web:text?'], undefined],
    ])('refuses %j', async (args, sentence) => {
      if (sentence !== undefined) return expectRefusal(project, ['field', ...args], sentence);
      expect(await project.generate('field', ...args)).toMatchObject({ code: 1, stdout: '' });
    });

    it('leaves nothing to do by hand in a module without creation', async () => {
      await succeed(
        project,
        'feature',
        'depots',
        '--fields',
        'name:string(max=20)',
        '--operations',
        'list,get',
      );
      const lines = await succeed(project, 'field', 'depots', 'size:integer(range,sort)? kind:enum(a|b)?');
      expect(lines.filter((line) => line.startsWith('BY HAND'))).toEqual([]);
      expect(project.read('src/depots/depots.spec.ts')).toContain("'kind'");
    });

    it('prints the lines that it cannot place, and writes the rest', async () => {
      const service = 'src/suppliers/suppliers.service.ts';
      const before = project.sources();
      const text = project.read(service);
      const end = text.indexOf('function toDto');
      project.write(service, text.slice(0, end) + UNRECOGNISABLE);
      const { code, stdout } = await project.generate('field', 'suppliers', 'fax:string?');
      expect({ code, stdout }).toEqual({
        code: 3,
        stdout: expect.stringContaining(
          [
            'BY HAND src/suppliers/suppliers.service.ts, where a supplier is turned into its DTO:',
            '    fax: supplier.fax ?? undefined,',
            'The rest was written; what is shown above is left to be done by hand.',
            'Next: npm run artefacts, npm run types, npm test -- src/suppliers\n',
          ].join('\n'),
        ) as string,
      });
      expect(project.read('src/suppliers/supplier.entity.ts')).toContain('fax!: string | null;');
      expect(project.read(service)).toContain('fax: supplier.fax ?? null,');
      for (const path of changed(project, before)) {
        const old = before.get(path);
        if (old === undefined) project.remove(path);
        else project.write(path, old);
      }
    });

    it('generates DTOs with which the compiler finds a forgotten member', async () => {
      const service = 'src/suppliers/suppliers.service.ts';
      const text = project.read(service);
      project.write(service, text.replace('website: supplier.website ?? undefined,', ''));
      const { stdout } = await project.generate('field', 'suppliers', 'fax:string?', '--dry-run');
      expect(stdout).toContain("Property 'website' is missing");
      project.write(service, text);
    });
  });

  describe('with the command child', () => {
    const RECORDS = ['child', 'pets', 'vaccination-records', '--fields', 'vaccine:string at:date'];

    it('adds a module below the path of another, once', async () => {
      const before = project.sources();
      const lines = await succeed(project, ...RECORDS);
      expect(lines.at(-1)).toBe(
        'Next: npm run artefacts, npm run types, npm test -- src/vaccination-records',
      );
      const controller = project.read('src/vaccination-records/vaccination-records.controller.ts');
      expect(controller).toContain("@Controller('pets/:petId/vaccination-records')");
      expect(project.read('src/vaccination-records/dto/new-vaccination-record.dto.ts')).not.toContain(
        'petId',
      );
      await expectFormatted(project, changed(project, before));
      expect(await succeed(project, ...RECORDS)).toEqual([
        'pets already have vaccination-records: nothing was changed.',
      ]);
    });

    it('gives each added item in its tests another value of each unique field', async () => {
      const fields = 'seal:string(unique,pattern=^[A-C][0-9]$) weight:integer';
      await succeed(project, 'child', 'pets', 'parcels', '--fields', fields);
      const path = '/pets/{petId}/parcels';
      expect(project.read('src/parcels/parcels.samples.ts')).toContain(`collections: { '${path}':`);
      const spec = project.read('src/parcels/parcels.spec.ts');
      expect(spec).toContain(`samples.collections['${path}'].members(OTHERS + ++count)`);
      expect(spec).toContain('service.post(path, await newParcel())');
      expect(spec).toContain("it.each(['seal'])('refuses a %s that another one has'");
    });

    it.each([
      [['pets', 'vaccination-records', '--fields', 'other:string'], undefined],
      [
        ['pets', 'walks', '--fields', 'petId:int64'],
        'The field petId already exists: it comes from the path.',
      ],
      [['pets', 'suppliers', '--fields', 'a:string'], undefined],
      [['pets', 'pet', '--fields', 'a:string'], undefined],
    ])('refuses %j', async (args, sentence) => {
      if (sentence !== undefined) return expectRefusal(project, ['child', ...args], sentence);
      expect(await project.generate('child', ...args)).toMatchObject({ code: 1, stdout: '' });
    });
  });
});
