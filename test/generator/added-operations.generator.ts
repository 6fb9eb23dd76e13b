import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands';
import { Project } from './support/project';

describe('npm run generate -- operation', () => {
  const project = new Project();

  beforeAll(async () => {
    await succeed(project, 'feature', 'suppliers', '--fields', 'name:string city:string');
  });

  it('adds a route, a method of the service and a test, once', async () => {
    const before = project.sources();
    await succeed(project, 'operation', 'suppliers', 'mark-trusted', '--method', 'put');
    const paths = changed(project, before);
    expect(paths).toEqual([
      'src/suppliers/suppliers.controller.ts',
      'src/suppliers/suppliers.service.ts',
      'src/suppliers/suppliers.spec.ts',
    ]);
    expect(project.read(paths[0] as string)).toContain("@Put(':supplierId/mark-trusted')");
    expect(project.read(paths[0] as string)).toContain("summary: 'Mark a supplier trusted'");
    await expectFormatted(project, paths);
    expect(await succeed(project, 'operation', 'suppliers', 'mark-trusted', '--method', 'put')).toEqual([
      'suppliers already have the operation markSupplierTrusted: nothing was changed.',
    ]);
  });

  it('adds a body, If-Match and Idempotency-Key to an operation, once', async () => {
    const REFUND = ['operation', 'suppliers', 'refund', '--if-match', '--idempotent', '--body'];
    const fields = 'amount:decimal(10,2,min=0.01) kind:enum(whole|part)? reason:string(max=200)?';
    const before = project.sources();
    await succeed(project, ...REFUND, fields, '--dry-run');
    expect(project.sources()).toEqual(before);
    await succeed(project, ...REFUND, fields);
    const paths = changed(project, before);
    expect(paths).toEqual([
      'src/suppliers/dto/refund-supplier.dto.ts',
      'src/suppliers/refund-supplier-kind.ts',
      'src/suppliers/suppliers.controller.ts',
      'src/suppliers/suppliers.service.ts',
      'src/suppliers/suppliers.spec.ts',
    ]);
    const [dto = '', , controller = '', service = '', spec = ''] = paths.map((path) => project.read(path));
    expect(dto).toContain('export class RefundSupplierDto {');
    expect(dto).toMatch(/@StringField\(\{[^}]+maxLength: 200,[^}]+\}\)\n {2}reason\?: string;/);
    expect(controller).toMatch(/@Post\(':supplierId\/refund'\)\n {2}@HttpCode\(200\)/);
    expect(controller).toContain(
      '@Body() body: RefundSupplierDto,\n    @IfMatch() ifMatch: Precondition,\n    @Once() once: Once,',
    );
    expect(controller).toContain('return once(() => this.suppliers.refund(supplierId, body, ifMatch));');
    expect(service).toMatch(/refund\([^)]+_body: RefundSupplierDto[^)]+ifMatch = Precondition\.NONE/);
    expect(spec.match(/it\('[^']*refund[^']*'/gi)).toHaveLength(3);
    await expectFormatted(project, paths);
    expect(await succeed(project, ...REFUND, fields)).toEqual([
      'suppliers already have the operation refundSupplier: nothing was changed.',
    ]);
    await expectRefusal(
      project,
      [...REFUND, 'note:string'],
      'The operation refundSupplier already exists in src/suppliers/suppliers.controller.ts, without the requested options.',
    );
  });

  it('adds one of a nested collection, below the path of its parent, once', async () => {
    await succeed(project, 'child', 'pets', 'vaccination-records', '--fields', 'vaccine:string');
    const before = project.sources();
    await succeed(project, 'operation', 'vaccination-records', 'revoke', '--if-match');
    const paths = changed(project, before);
    expect(paths).toEqual([
      'src/vaccination-records/vaccination-records.controller.ts',
      'src/vaccination-records/vaccination-records.service.ts',
      'src/vaccination-records/vaccination-records.spec.ts',
    ]);
    await expectFormatted(project, paths);
    const [controller = '', service = '', spec = ''] = paths.map((path) => project.read(path));
    expect(controller).toContain('revoke(vaccinationRecordId, ifMatch, petId);');
    expect(controller).toContain(
      "revokeVaccinationRecord(\n    @Int64Param('petId', PetNotFoundError, 'Identifier of the pet.') petId: bigint,",
    );
    expect(service).toContain(
      '/** @throws PetNotFoundError, VaccinationRecordNotFoundError or PreconditionFailedError */\n  revoke(',
    );
    expect(spec).toContain(
      "(await service.fetch(`${another}/${id}/revoke`, { method: 'POST' })).status).toBe(404)",
    );
    expect(await succeed(project, 'operation', 'vaccination-records', 'revoke', '--if-match')).toEqual([
      'vaccination-records already have the operation revokeVaccinationRecord: nothing was changed.',
    ]);
  });

  it.each([
    [['suppliers', 'Cancel'], '"Cancel" cannot name an operation: use words in lower case, as in cancel.'],
    [
      ['suppliers', 'cancel', '--method', 'patch'],
      '"patch" is not a method of operations: choose from get, post, put, delete.',
    ],
    [
      ['suppliers', 'mark-trusted'],
      'The operation markSupplierTrusted already exists in src/suppliers/suppliers.controller.ts, with another method or path.',
    ],
    [
      ['suppliers', 'cancel', '--method', 'delete', '--body', 'reason:string'],
      'A delete has no body: leave --body out, or use post or put.',
    ],
    [
      ['suppliers', 'peek', '--method', 'get', '--if-match'],
      'A get changes nothing, so --if-match does not apply: leave it out.',
    ],
    [
      ['suppliers', 'cancel', '--method', 'put', '--idempotent'],
      '--idempotent is for post: a put can be repeated safely without it.',
    ],
    [['suppliers', 'cancel', '--body', ' '], 'A body needs at least one field, as in reason:string?.'],
    [
      ['suppliers', 'cancel', '--body', 'petId:ref(pets)'],
      'The field petId of a body cannot be a ref: it is not stored, so the database does not check what it refers to. Use int64, and check it in the service.',
    ],
    [
      ['suppliers', 'cancel', '--body', 'reason:string(default=none)'],
      'The field reason of a body can only have min, max, pattern, min-items, max-items, example and description and be optional: it is not stored.',
    ],
    [
      ['suppliers', 'mark-trusted', '--method', 'put', '--if-match'],
      'The operation markSupplierTrusted already exists in src/suppliers/suppliers.controller.ts, without the requested options.',
    ],
    [['pets', 'restore'], 'The name restore is taken: src/pets/pets.service.ts has a method of this name.'],
  ])('refuses %j', (args, sentence) => expectRefusal(project, ['operation', ...args], sentence));
});
