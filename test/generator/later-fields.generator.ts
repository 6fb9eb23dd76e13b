import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands';
import { Project } from './support/project';

const QUERY = 'src/suppliers/dto/list-suppliers.query.ts';
const PATCH = 'src/suppliers/dto/supplier-patch.dto.ts';

describe('npm run generate -- field for a new sort of field', () => {
  const project = new Project();

  beforeAll(async () => {
    await succeed(project, 'feature', 'suppliers', '--fields', 'name:string city:string');
  });

  it('adds a read-only field by itself', async () => {
    await succeed(project, 'field', 'suppliers', 'rating:integer(read-only)?');
    expect(project.read(PATCH)).toContain("OmitType(SupplierDto, ['id', 'rating'])");
    expect(project.read(PATCH)).toContain("OmitType(SupplierDto, ['id'])");
    expect(project.read('src/suppliers/suppliers.admin.ts')).toContain('patch: SupplierOperatorPatchDto,');
    expect(project.read('src/suppliers/suppliers.service.ts')).toContain('patch: SupplierOperatorPatchDto,');
  });

  it('adds a second read-only field', async () => {
    await succeed(project, 'field', 'suppliers', 'rank:integer(read-only)?');
    expect(project.read(PATCH)).toContain("OmitType(SupplierDto, ['id', 'rating', 'rank'])");
    expect(project.read('src/suppliers/dto/supplier.dto.ts')).toContain('  rank?: number;');
  });

  it('adds a create-only field by itself, which operators cannot change either', async () => {
    await succeed(project, 'field', 'suppliers', 'origin:string(create-only)?');
    expect(project.read(PATCH)).toContain("OmitType(SupplierDto, ['id', 'rating', 'rank', 'origin'])");
    expect(project.read(PATCH)).toContain("OmitType(SupplierDto, ['id', 'origin'])");
  });

  it("adds a field that tells of a person, which the operators' DTOs have, too", async () => {
    await succeed(project, 'field', 'suppliers', 'email:string(max=254,personal)?');
    expect(project.read('src/suppliers/dto/new-supplier.dto.ts')).toMatch(
      /isPersonal: true,?\s*\}\)\s*email\?: string;/,
    );
  });

  it('knows the types of the packages that the project names', async () => {
    const path = 'src/suppliers/suppliers.errors.ts';
    project.write(
      path,
      `${project.read(path)}\nexport function sizeOf(file: Express.Multer.File): number {\n  return file.size;\n}\n`,
    );
    const lines = await succeed(project, 'field', 'suppliers', 'phone:string?');
    expect(lines).toContain('UPDATE src/suppliers/supplier.entity.ts');
  });

  it.each([
    ['city:string(prefix,sort)', 'prefix, sort', 'city'],
    ['city:string(sort)', 'sort', 'city'],
    ['rating:integer(read-only,range)?', 'range', 'rating'],
  ])('refuses to add %s to an existing field, and names the remedy', async (field, missing, name) => {
    await expectRefusal(
      project,
      ['field', 'suppliers', field],
      `The field ${name} of suppliers already exists, and its list has no ${missing} by it: use npm run generate -- list suppliers "${name}(${missing.replace(' ', '')})".`,
    );
  });

  it('refuses to make an existing field personal, and names the remedy', async () => {
    const sentence =
      'The field city of suppliers already exists and is not personal: add isPersonal: true to it in src/suppliers/dto/new-supplier.dto.ts.';
    await expectRefusal(project, ['field', 'suppliers', 'city:string(personal)'], sentence);
    await expectRefusal(project, ['change', 'suppliers', 'city:string(max=9,personal)'], sentence);
  });

  it('refuses to make an existing field unique, and names the remedy', async () => {
    await expectRefusal(
      project,
      ['field', 'suppliers', 'city:string(unique)'],
      'The field city of suppliers already exists and is not unique: use npm run generate -- unique suppliers city.',
    );
  });

  describe('and list for a field that is there', () => {
    it('adds parameters, and an index where there is none, once', async () => {
      const before = project.sources();
      await succeed(project, 'list', 'suppliers', 'city(prefix,sort)');
      const paths = changed(project, before);
      expect(paths).toEqual([
        expect.stringMatching(/\d{13}-index-city-of-suppliers\.ts$/),
        'src/suppliers/dto/list-suppliers.query.ts',
        'src/suppliers/supplier.entity.ts',
        'src/suppliers/suppliers.repository.ts',
      ]);
      await expectFormatted(project, paths);
      expect(project.read(QUERY)).toContain("prefix: 'city' })\n  cityPrefix?: string;");
      expect(project.read('src/suppliers/suppliers.repository.ts')).toContain(
        'Supplier, ListSuppliersQuery)',
      );
      expect(await succeed(project, 'list', 'suppliers', 'city(prefix,sort)')).toEqual([
        'The list of suppliers has prefix, sort by city already: nothing was changed.',
      ]);
    });

    it('adds only what is missing', async () => {
      await succeed(project, 'index', 'suppliers', 'rank');
      const before = project.sources();
      await succeed(project, 'list', 'suppliers', 'rank(range,sort)');
      expect(changed(project, before)).toEqual([QUERY]);
      expect(project.read(QUERY)).toContain("@SortParameter('city', 'rank')");
      expect(project.read(QUERY)).toContain('rankFrom?: number;');
    });

    it.each([
      ['city(range)', 'A list cannot have range by city, which is string: it can have prefix, sort.'],
      ['city(like)', '"like" is not an option of a list: choose from range, prefix, set, sort.'],
      [
        'city',
        '"city" is not a field with what its list is to have: write one, as in city(prefix,sort), of range, prefix, set, sort.',
      ],
      [
        'town(sort)',
        'suppliers have no field town: their fields are name, city, rating, rank, origin, email, phone.',
      ],
    ])('refuses %s', (field, sentence) => expectRefusal(project, ['list', 'suppliers', field], sentence));
  });
});
