import { expectRefusal, succeed } from './support/module-commands.ts';
import { Project } from './support/project.ts';

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
  ])(
    'refuses to add %s to an existing field, and names the page with the remedy',
    async (field, missing, name) => {
      await expectRefusal(
        project,
        ['field', 'suppliers', field],
        `The field ${name} of suppliers already exists, and its list has no ${missing} by it: docs/day-two.md says how to add them.`,
      );
    },
  );

  it('refuses to make an existing field personal, and names the remedy', async () => {
    const sentence =
      'The field city of suppliers already exists and is not personal: add isPersonal: true to it in src/suppliers/dto/new-supplier.dto.ts.';
    await expectRefusal(project, ['field', 'suppliers', 'city:string(personal)'], sentence);
  });

  it('refuses to make an existing field unique, and names the page with the remedy', async () => {
    await expectRefusal(
      project,
      ['field', 'suppliers', 'city:string(unique)'],
      'The field city of suppliers already exists and is not unique: docs/day-two.md says how to make it so.',
    );
  });
});
