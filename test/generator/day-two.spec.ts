import { Project } from './support/project';

const CATALOGUE = 'name:string city:string';

/** As a team left its service: the same rules in a shape that no generator writes. */
const UNRECOGNISABLE = `
const toDto = (supplier: Supplier): SupplierDto =>
  Object.assign({ id: supplier.id }, { name: supplier.name, city: supplier.city });
`;

describe('npm run generate for a module that is there', () => {
  const project = new Project();

  beforeAll(async () => {
    await succeed('feature', 'suppliers', '--fields', CATALOGUE);
  });

  /** @returns the lines of the output */
  async function succeed(...args: string[]): Promise<string[]> {
    const { code, stdout, stderr } = await project.generate(...args);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout.trimEnd().split('\n');
  }

  async function expectRefusal(args: readonly string[], sentence: string): Promise<void> {
    const before = project.sources();
    const refused = await project.generate(...args);
    expect(refused).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
    expect(project.sources()).toEqual(before);
  }

  function changed(before: ReadonlyMap<string, string>): string[] {
    return [...project.sources()].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  }

  /** What is written must be formatted; that it compiles, the generator itself sees. */
  async function expectFormatted(paths: readonly string[]): Promise<void> {
    const { stdout } = await project.run('prettier/bin/prettier.cjs', '--list-different', ...paths);
    expect(stdout).toBe('');
  }

  describe('field', () => {
    const WEBSITE = ['field', 'suppliers', 'website:string? kind:enum(shop|farm)?'];

    it('shows what it would change with --dry-run, and changes nothing', async () => {
      const before = project.sources();
      const lines = await succeed(...WEBSITE, '--dry-run');
      expect(lines).toContain('UPDATE src/suppliers/supplier.entity.ts');
      expect(lines.at(-1)).toBe('Dry run: nothing was written.');
      expect(project.sources()).toEqual(before);
    });

    it('changes every file that needs it, and keeps what was edited by hand', async () => {
      const service = 'src/suppliers/suppliers.service.ts';
      const entity = 'src/suppliers/supplier.entity.ts';
      project.write(
        service,
        project.read(service).replace('city: supplier.city', "city: supplier.city.trim() || 'unknown'"),
      );
      project.write(entity, project.read(entity).replace('  city!', '  // As on the letterhead.\n  city!'));
      const before = project.sources();
      const lines = await succeed(...WEBSITE);
      const paths = changed(before);
      expect(paths).toEqual([
        expect.stringMatching(/migrations\/\d{13}-add-website-and-kind-to-suppliers\.ts$/),
        'src/suppliers/dto/list-suppliers.query.ts',
        'src/suppliers/dto/new-supplier.dto.ts',
        'src/suppliers/supplier-kind.ts',
        'src/suppliers/supplier.entity.ts',
        'src/suppliers/suppliers.service.ts',
        'src/suppliers/suppliers.spec.ts',
      ]);
      expect(lines.at(-1)).toBe('Next: npm run openapi, npm run types, npm test -- src/suppliers');
      expect(project.read(service)).toContain("city: supplier.city.trim() || 'unknown',\n");
      expect(project.read(service)).toContain('website: supplier.website ?? null,\n');
      expect(project.read(service)).toContain('website: supplier.website ?? undefined,\n');
      expect(project.read(entity)).toContain('// As on the letterhead.\n');
      await expectFormatted(paths);
    });

    it('says so when all is there, and changes nothing', async () => {
      const before = project.sources();
      expect(await succeed(...WEBSITE)).toEqual([
        'suppliers have website, kind already: nothing was changed.',
      ]);
      expect(project.sources()).toEqual(before);
    });

    it('adds arrays as it adds other fields', async () => {
      const before = project.sources();
      const lines = await succeed(
        'field',
        'suppliers',
        'tags:string(max=30,max-items=20)[]? hues:enum(red|blue)[]?',
      );
      const paths = changed(before);
      const migration = paths.find((path) => path.endsWith('-add-tags-and-hues-to-suppliers.ts')) as string;
      expect(lines).toContain(`CREATE ${migration}`);
      expect(project.read(migration)).toContain('const { array, text } = columnTypes(queryRunner);');
      expect(project.read(migration)).toContain('ALTER TABLE "suppliers" ADD COLUMN "tags" ${array(text)}');
      expect(project.read('src/suppliers/supplier.entity.ts')).toContain(
        '@TextColumn({ array: true, nullable: true })\n  tags!: string[] | null;',
      );
      await expectFormatted(paths);
    });

    it.each([
      [['nosuch', 'a:string?'], 'There is no module "nosuch" in src: there are pets, suppliers.'],
      [
        ['suppliers', 'website:integer?'],
        'The field website of suppliers is there already, and src/suppliers/dto/new-supplier.dto.ts is not what this would make it.',
      ],
      [
        ['suppliers', 'phone:string'],
        'The field phone must be optional (phone:…?) or have a default that clients can change: suppliers that are stored already have no value of it.',
      ],
      [
        ['suppliers', 'phone:string(max=30,default=0,unique)'],
        'The field phone cannot be unique: suppliers that are stored already get one value.',
      ],
      [
        ['suppliers', 'balance:decimal(10,2,default=-1)'],
        'The default of the field balance cannot be negative: the engines remember that of a decimal in different ways.',
      ],
      [
        ['suppliers', 'website:integer(range)?'],
        'The field website of suppliers is there already, and src/suppliers/dto/new-supplier.dto.ts is not what this would make it.',
      ],
      [['suppliers', 'webSite:string? web:text?'], undefined],
    ])('refuses %j', async (args, sentence) => {
      if (sentence !== undefined) return expectRefusal(['field', ...args], sentence);
      expect(await project.generate('field', ...args)).toMatchObject({ code: 1, stdout: '' });
    });

    it('shows the lines it has no place for, and writes the rest', async () => {
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
            'Next: npm run openapi, npm run types, npm test -- src/suppliers\n',
          ].join('\n'),
        ) as string,
      });
      expect(project.read('src/suppliers/supplier.entity.ts')).toContain('fax!: string | null;');
      expect(project.read(service)).toContain('fax: supplier.fax ?? null,');
      for (const path of changed(before)) {
        const old = before.get(path);
        if (old === undefined) project.remove(path);
        else project.write(path, old);
      }
    });

    it('leaves a forgotten member to the compiler: a DTO is made of all of them', async () => {
      const service = 'src/suppliers/suppliers.service.ts';
      const text = project.read(service);
      project.write(service, text.replace('website: supplier.website ?? undefined,', ''));
      const { stdout } = await project.generate('field', 'suppliers', 'fax:string?', '--dry-run');
      expect(stdout).toContain("Property 'website' is missing");
      project.write(service, text);
    });
  });

  describe('unique', () => {
    it('puts a unique index into the entity and a migration that looks at the rows first, once', async () => {
      await succeed('field', 'suppliers', 'taxNumber:string(max=30)? code:string(max=9,create-only)?');
      const before = project.sources();
      await succeed('unique', 'suppliers', 'taxNumber');
      const paths = changed(before);
      expect(paths).toEqual([
        expect.stringMatching(/migrations\/\d{13}-make-tax-number-of-suppliers-unique\.ts$/),
        'src/suppliers/supplier.entity.ts',
        'src/suppliers/suppliers.controller.ts',
        'src/suppliers/suppliers.spec.ts',
      ]);
      expect(project.read(paths[0] as string)).toContain(
        "await requireUnique(queryRunner, 'suppliers', ['tax_number']);",
      );
      await expectFormatted(paths);
      expect(await succeed('unique', 'suppliers', 'taxNumber')).toEqual([
        'taxNumber of suppliers must be unique already: nothing was changed.',
      ]);
    });

    it('refuses a text of any length', () =>
      expectRefusal(
        ['unique', 'suppliers', 'name'],
        'The text name must have a maxLength of 500 or less: PostgreSQL puts no longer one into an index.',
      ));
  });

  describe('index', () => {
    it.each([
      [
        'city',
        'idx_suppliers_city_id',
        "  @Index('idx_suppliers_city_id', { synchronize: false })\n  @TextColumn()",
      ],
      ['kind,createdAt', 'idx_suppliers_kind_created_at_id', "['kind', 'createdAt', 'id'])\n"],
    ])('puts one on %s into the entity and a migration, once', async (fields, name, declared) => {
      const before = project.sources();
      await succeed('index', 'suppliers', fields);
      const paths = changed(before);
      expect(paths).toEqual([
        expect.stringMatching(/migrations\/\d{13}-index-[a-z-]+-of-suppliers\.ts$/),
        'src/suppliers/supplier.entity.ts',
      ]);
      expect(project.read('src/suppliers/supplier.entity.ts')).toContain(declared);
      await expectFormatted(paths);
      expect(await succeed('index', 'suppliers', fields)).toEqual([
        `suppliers have the index ${name} already: nothing was changed.`,
      ]);
    });

    it.each([
      [
        ['suppliers', 'town'],
        'suppliers have no field town: they have name, city, website, kind, tags, hues, taxNumber, code, createdAt.',
      ],
      [
        ['suppliers', 'website', 'kind'],
        'An index covers a text alone, by its beginning, and not together with others: website, kind.',
      ],
    ])('refuses %j', (args, sentence) => expectRefusal(['index', ...args], sentence));
  });

  describe('operation', () => {
    it('adds a route, its place in the service and a test, once', async () => {
      const before = project.sources();
      await succeed('operation', 'suppliers', 'mark-trusted', '--method', 'put');
      const paths = changed(before);
      expect(paths).toEqual([
        'src/suppliers/suppliers.controller.ts',
        'src/suppliers/suppliers.service.ts',
        'src/suppliers/suppliers.spec.ts',
      ]);
      expect(project.read(paths[0] as string)).toContain("@Put(':supplierId/mark-trusted')");
      expect(project.read(paths[0] as string)).toContain("summary: 'Mark a supplier trusted'");
      await expectFormatted(paths);
      expect(await succeed('operation', 'suppliers', 'mark-trusted', '--method', 'put')).toEqual([
        'suppliers have the operation markSupplierTrusted already: nothing was changed.',
      ]);
    });

    it.each([
      [
        ['suppliers', 'Cancel'],
        '"Cancel" cannot name an operation: words in lower case are needed, as in cancel.',
      ],
      [
        ['suppliers', 'cancel', '--method', 'patch'],
        '"patch" is no method of operations: there are get, post, put, delete.',
      ],
      [
        ['suppliers', 'mark-trusted'],
        'The operation markSupplierTrusted is there already, and src/suppliers/suppliers.controller.ts has it with another method or path.',
      ],
      [['pets', 'restore'], 'The name restore is taken: src/pets/pets.service.ts has a method of this name.'],
    ])('refuses %j', (args, sentence) => expectRefusal(['operation', ...args], sentence));
  });

  describe('child', () => {
    const RECORDS = ['child', 'pets', 'vaccination-records', '--fields', 'vaccine:string at:date'];

    it('adds a module below the paths of another, once', async () => {
      const before = project.sources();
      const lines = await succeed(...RECORDS);
      expect(lines.at(-1)).toBe('Next: npm run openapi, npm run types, npm test -- src/vaccination-records');
      const controller = project.read('src/vaccination-records/vaccination-records.controller.ts');
      expect(controller).toContain("@Controller('pets/:petId/vaccination-records')");
      expect(project.read('src/vaccination-records/dto/new-vaccination-record.dto.ts')).not.toContain(
        'petId',
      );
      await expectFormatted(changed(before));
      expect(await succeed(...RECORDS)).toEqual([
        'pets have vaccination-records already: nothing was changed.',
      ]);
    });

    it.each([
      [['pets', 'vaccination-records', '--fields', 'other:string'], undefined],
      [['pets', 'walks', '--fields', 'petId:int64'], 'The field petId is there already: the path says it.'],
      [['pets', 'suppliers', '--fields', 'a:string'], undefined],
      [['pets', 'pet', '--fields', 'a:string'], undefined],
    ])('refuses %j', async (args, sentence) => {
      if (sentence !== undefined) return expectRefusal(['child', ...args], sentence);
      expect(await project.generate('child', ...args)).toMatchObject({ code: 1, stdout: '' });
    });
  });
});
