import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands.ts';
import { Project } from './support/project.ts';

describe('npm run generate -- page', () => {
  const project = new Project();

  beforeAll(async () => {
    await succeed(project, 'feature', 'suppliers', '--fields', 'name:string');
  });

  it('adds a controller, a form, a template and a test, once', async () => {
    const before = project.sources();
    await succeed(project, 'page', 'supplier', 'price-check', '--dry-run');
    expect(project.sources()).toEqual(before);
    const output = await succeed(project, 'page', 'supplier', 'price-check');
    expect(output).toContain('CREATE src/suppliers/price-check.eta');
    expect(output.at(-1)).toBe('Next: npm run types, npm test -- src/suppliers');
    const paths = changed(project, before);
    expect(paths).toEqual([
      'src/suppliers/dto/price-check-form.dto.ts',
      'src/suppliers/price-check.controller.ts',
      'src/suppliers/price-check.eta',
      'src/suppliers/price-check.spec.ts',
      'src/suppliers/suppliers.module.ts',
    ]);
    const [, controller = '', , , module = ''] = paths.map((path) => project.read(path));
    expect(controller).toContain("const TITLE = 'Price check';\nconst PATH = 'suppliers/price-check';");
    expect(controller).toContain(
      "@ConsoleController(PATH, { title: TITLE })\n@ConsoleScopes('admin:suppliers')",
    );
    expect(module).toContain('controllers: [SuppliersController, PriceCheckController],');
    await expectFormatted(project, paths);
    expect(await succeed(project, 'page', 'suppliers', 'price-check')).toEqual([
      'suppliers already have the page price-check: nothing was changed.',
    ]);
  });

  it.each([
    ['Check', '"Check" cannot name a page: use words in lower case, as in dispatch.'],
    ['suppliers', 'src/suppliers/suppliers.controller.ts already exists: choose another name for the page.'],
  ])('refuses the name %s', async (name, sentence) => {
    await expectRefusal(project, ['page', 'suppliers', name], sentence);
  });

  it('shows the controller when it does not find its place', async () => {
    const path = 'src/suppliers/suppliers.module.ts';
    const text = project.read(path);
    project.write(path, text.replace(/controllers: (\[.*\]),/, 'controllers: Object.values($1),'));
    const { code, stdout } = await project.generate('page', 'suppliers', 'audit');
    project.write(path, text);
    expect(code).toBe(3);
    expect(stdout).toContain(`BY HAND ${path}, among the controllers of the module:\n    AuditController\n`);
  });

  it('shows what the compiler finds in the module, such as a member that its DTO is not given', async () => {
    const path = 'src/suppliers/suppliers.service.ts';
    const text = project.read(path);
    project.write(path, text.replace('name: supplier.name } satisfies', '} satisfies'));
    const { code, stdout } = await project.generate('page', 'suppliers', 'stock', '--dry-run');
    project.write(path, text);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringMatching(/which no longer compiles:\n.*Property 'name' is missing/) as string,
    });
  });

  it('knows the types of the packages that the project names', async () => {
    const path = 'src/suppliers/suppliers.errors.ts';
    const text = project.read(path);
    project.write(
      path,
      `${text}\nexport function sizeOf(file: Express.Multer.File): number {\n  return file.size;\n}\n`,
    );
    await succeed(project, 'page', 'suppliers', 'uploads', '--dry-run');
    project.write(path, text);
  });

  it('refuses a service that cannot find the record of the form', async () => {
    const path = 'src/suppliers/suppliers.service.ts';
    project.write(path, project.read(path).replace('async get(id', 'async find(id'));
    await expectRefusal(
      project,
      ['page', 'suppliers', 'visits'],
      'SuppliersService needs a method get(id), by which the page finds the supplier that its form names.',
    );
  });
});
