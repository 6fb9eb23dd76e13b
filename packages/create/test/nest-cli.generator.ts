import { Project } from './support/project.ts';

describe('The Nest CLI', () => {
  let project: Project;

  beforeEach(() => {
    project = new Project();
  });

  it('generates a feature from fields in its third argument', async () => {
    const fields = `'petId:ref(pets) status:enum(placed|approved)? note:string'`;
    const { code, stdout, stderr } = await project.nest('g', 'feature', 'orders', fields);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('CREATE src/orders/orders.module.ts');
    expect(project.read('src/features.ts')).toContain(
      "\nexport { OrdersModule } from './orders/orders.module';\n",
    );
    expect(project.read('src/orders/order.entity.ts')).toMatch(/petId!: bigint;[^]*note!: string;/);
  });

  it('generates a feature from fields that the shell has split', async () => {
    await project.nest('g', 'feature', 'StatusChange', 'note:string due:date?');
    const entity = project.read('src/status-changes/status-change.entity.ts');
    expect(entity).toMatch(/note!: string;[^]*due!: string \| null;/);
  });

  it('asks for fields on a terminal', async () => {
    const { code, stdout } = await project.nestOnTerminal(
      ['g', 'feature', 'orders'],
      'Which fields does it have',
      'petId:ref(pets) note:string?',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('src/orders/orders.module.ts');
    expect(project.read('src/orders/order.entity.ts')).toMatch(/petId!: bigint;[^]*note!: string \| null;/);
  });

  it('prints with --dry-run what it would write', async () => {
    const before = project.sources();
    const { stdout } = await project.nest('g', 'feature', 'orders', 'note:string', '--dry-run');
    expect(stdout).toContain('CREATE src/orders/orders.module.ts');
    expect(project.sources()).toEqual(before);
  });

  it('refuses what the generator refuses', async () => {
    const before = project.sources();
    const { stdout, stderr } = await project.nest('g', 'feature', 'orders');
    expect(stdout).toBe('');
    expect(stderr).toContain('Error: A feature needs at least one field, as in note:string?.\n');
    expect(project.sources()).toEqual(before);
  });

  it('still runs the schematics of Nest', async () => {
    const { code, stdout } = await project.nest('g', 'service', 'clock', '--no-spec');
    expect(code).toBe(0);
    expect(stdout).toContain('CREATE src/clock/clock.service.ts');
    expect(project.read('src/clock/clock.service.ts')).toContain('export class ClockService');
  });

  it("generates Nest's own resource, which compiles", async () => {
    await project.nest('g', 'resource', 'toys', '--type', 'rest', '--crud', '--no-spec');
    const config = { extends: './tsconfig.json', include: ['src'] };
    project.write('tsconfig.src.json', JSON.stringify(config));
    const { code, stdout } = await project.run('typescript/bin/tsc6', '--noEmit', '-p', 'tsconfig.src.json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });
});
