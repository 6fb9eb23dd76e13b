import { expectRefusal, succeed } from './support/module-commands';
import { Project } from './support/project';

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
      `The field ${name} of suppliers already exists, and its list has no ${missing} by it: add the parameters to src/suppliers/dto/list-suppliers.query.ts by hand, and an index by npm run generate -- index suppliers ${name}.`,
    );
  });

  it('refuses to make an existing field unique, and names the remedy', async () => {
    await expectRefusal(
      project,
      ['field', 'suppliers', 'city:string(unique)'],
      'The field city of suppliers already exists and is not unique: use npm run generate -- unique suppliers city.',
    );
  });
});
