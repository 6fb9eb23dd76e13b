import { emptyTextInWords } from '../../../src/admin/records/transfer/empty-texts';
import { ImportFile } from '../../../src/admin/records/transfer/import-file';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { field } from '../../contract/support/request';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
} from '../../support/service/console';
import { buttonsIn, calloutIn, codesIn, faultsIn, noticeIn } from './support/said';

const LIST = '/admin/records/pets';
const IMPORT = `${LIST}/import`;
const RUN = `${IMPORT}/run`;

const CSV = `name,categoryId,status
Rex,7,sold
"Luna, the second",7,
Milo,seven,available
Coco,7,lost
`;

describeOneEngine('Importing a file in the console', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:pets'));
  });
  afterAll(() => service.stop());

  const file = (text: string | Buffer<ArrayBuffer>, name = 'pets.csv') => new File([text], name);
  const token = async (who = client) =>
    hiddenFields((await who.get('/admin/sessions')).html, '/admin/sign-out');
  const preview = async (chosen: File, fields: Record<string, string> = {}) =>
    client.upload(IMPORT, { ...(await token()), format: '', ...fields, file: chosen });
  const confirm = ({ html }: ConsoleResponse, fields: Record<string, string> = {}) =>
    client.upload(RUN, { ...hiddenFields(html, RUN), ...fields });
  const pets = async () =>
    ((await (await service.fetch('/v1/pets?limit=100')).json()) as { name: string }[]).map(
      ({ name }) => name,
    );
  /** The lines that a preview refuses, with the first word of each reason, which is the field at fault. */
  const refusedIn = ({ html }: ConsoleResponse) =>
    [...html.matchAll(/role="rowheader">(\d+)<\/th><td[^>]*>([^<]*)<\/td>/g)].map(
      ([, line, why = '']) => `${line}: ${why.split(' ')[0]}`,
    );

  it('is offered to those who may add records, and refused to others', async () => {
    expect((await client.get(LIST)).html).toContain(`href="${IMPORT}"`);
    expect((await client.get(IMPORT)).html).toMatch(
      /enctype="multipart\/form-data"[\s\S]*<input type="file"/,
    );
    const reader = await openConsole(service, await service.keyWith('admin:read'));
    expect((await reader.get(LIST)).html).not.toContain(`href="${IMPORT}"`);
    expect((await reader.get(IMPORT)).status).toBe(403);
    for (const path of [IMPORT, RUN]) {
      expect((await reader.upload(path, { ...(await token(reader)), file: file(CSV) })).status).toBe(403);
    }
  });

  it('previews refused rows with line and reason, and adds nothing before it is confirmed', async () => {
    const shown = await preview(file(CSV));
    expect(shown.status).toBe(200);
    expect(refusedIn(shown)).toEqual(['4: categoryId', '5: status']);
    expect(buttonsIn(shown)).toContain('Add 2 pets');
    expect(await pets()).toEqual([]);
    const added = await confirm(shown);
    expect([added.status, added.location]).toEqual([303, LIST]);
    expect(noticeIn(await client.get(LIST))).toEqual({
      tone: 'warning',
      text: expect.stringMatching(/\b2 pets\b.*\b2 rows\b/),
      actions: ['View', 'Undo'],
    });
    expect(await pets()).toEqual(['Rex', 'Luna, the second']);
    const [event] = await service.app.get(AuditLog).list({ action: 'pets.import' }, { limit: 1 });
    expect(event?.actor).toMatch(/^key_/);
    expect(JSON.parse(event?.after ?? '')).toMatchObject({ file: 'pets.csv', imported: 2, refused: 2 });
    // The form is there once, whatever is clicked twice.
    expect((await confirm(shown)).status).toBe(409);
    expect(await pets()).toHaveLength(2);
  });

  it('warns of rows with an empty name before it adds them', async () => {
    const before = await pets();
    const shown = await preview(file('name,categoryId\nRex,7\n,7\nLuna,7\n,7\n'));
    expect(shown.html).toContain(emptyTextInWords({ field: 'name', rows: 2, line: 3 }));
    expect((await preview(file('name,categoryId\nRex,7\n'))).html).not.toContain('callout-warning');
    expect(await pets()).toEqual(before);
  });

  it('gives the refused rows to download, with their reasons', async () => {
    const shown = await preview(file(CSV));
    expect(shown.html).toContain(`formaction="${IMPORT}/refused"`);
    const before = await pets();
    const { status, raw } = await client.upload(`${IMPORT}/refused`, hiddenFields(shown.html, RUN));
    expect(status).toBe(200);
    expect(field(raw, 'content-disposition')).toBe('attachment; filename="pets-refused.csv"');
    expect(field(raw, 'content-type')).toMatch(/^text\/csv/);
    expect(raw.body.split('\r\n')).toEqual([
      'refusedLine,refusedBecause,name,categoryId,status',
      expect.stringMatching(/^4,categoryId [^,]*,Milo,seven,available$/),
      expect.stringMatching(/^5,"status .*",Coco,7,lost$/),
      '',
    ]);
    expect(await pets()).toEqual(before);
    const reader = await openConsole(service, await service.keyWith('admin:read'));
    expect((await reader.upload(`${IMPORT}/refused`, await token(reader))).status).toBe(403);
  });

  it('recognises content that was already imported, and repeats it only when told to', async () => {
    const shown = await preview(file(CSV, 'the same.csv'));
    expect(calloutIn(shown, 'imported_before')).toMatch(/the same\.csv .* pets\.csv .*\bkey_\w+, .* \d+\./);
    const refused = await confirm(shown);
    expect([refused.status, Object.keys(faultsIn(refused))]).toEqual([409, ['']]);
    expect(await pets()).toHaveLength(2);
    expect((await confirm(refused, { again: 'yes' })).status).toBe(303);
    expect(await pets()).toHaveLength(4);
  });

  it('ends a preview after 1,000 refused rows, says so, and answers other requests meanwhile', async () => {
    const scan = jest.spyOn(ImportFile.prototype, 'scan');
    try {
      const previewing = preview(file(`name,categoryId\nRex,7\n${'x\n'.repeat(200_000)}`));
      await until(() => scan.mock.results.length > 0);
      const order: string[] = [];
      const scanned = scan.mock.results[0]?.value as Promise<unknown>;
      await Promise.all([
        service.fetch('/health/live').then(({ status }) => order.push(`live ${status}`)),
        scanned.then(() => order.push('scanned')),
      ]);
      expect(order).toEqual(['live 200', 'scanned']);
      const shown = await previewing;
      expect(refusedIn(shown)).toHaveLength(50);
      expect(calloutIn(shown, 'preview_ended')).toMatch(/\b1,999 .*\b2,000 .*\b200,001\b/);
      expect(buttonsIn(shown).filter((name) => name.startsWith('Add '))).toHaveLength(1);
    } finally {
      scan.mockRestore();
    }
  });

  it('reads JSON Lines by the name of the file or the chosen format', async () => {
    const text = '{"name":"Nala","categoryId":9007199254740993}\n{"name":"Otto"}\nnonsense\n';
    for (const shown of [
      await preview(file(text, 'a.jsonl')),
      await preview(file(text, 'a.txt'), { format: 'ndjson' }),
    ]) {
      expect(refusedIn(shown)).toEqual(['2: categoryId', expect.stringMatching(/^3: /)]);
      expect(buttonsIn(shown)).toContain('Add 1 pet');
    }
  });

  it('keeps every byte of the file between preview and confirmation', async () => {
    const name = 'é\r\n\u{1f415} "quoted" <b>&amp;';
    const shown = await preview(
      file(`\ufeffname,categoryId\r\n"${name.replaceAll('"', '""')}",1\r\n`, '<b>"ünï".csv'),
    );
    expect(shown.html).toContain('Import &lt;b&gt;&quot;ünï&quot;.csv');
    await confirm(shown);
    expect((await pets()).at(-1)).toBe(name);
  });

  it.each([
    ['no file', file('', ''), 'file'],
    ['a name without a format', file(CSV, 'pets.txt'), 'format'],
    ['a header that is wrong', file('name,colour\nRex,red\n'), 'file'],
  ])('says at its field what is wrong with the file: %s', async (_title, chosen, at) => {
    const { status, html } = await preview(chosen);
    expect(Object.keys(faultsIn({ html }))).toEqual([at]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(html).toContain('<input type="file"');
  });

  it('refuses a body that is too large or unreadable, and a form of another session', async () => {
    const large = await preview(file(Buffer.alloc(2 * 1_048_576 + 1), 'large.csv'));
    expect(large.status).toBe(413);
    expect(large.html).toMatch(/<input type="file"[\s\S]*id="field-file-error">[^<]*\b2 MiB\b/);
    const content = 'A'.repeat(3 * 1_048_576);
    const grown = await client.upload(RUN, { ...(await token()), name: 'a.csv', format: 'csv', content });
    expect([grown.status, grown.html.includes('2 MiB')]).toEqual([413, true]);
    expect((await client.upload(IMPORT, { format: '', file: file(CSV) })).status).toBe(403);
    const before = await pets();
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await client.post(IMPORT, { _csrf: 'x' }, headers)).status).toBe(400);
    expect(await pets()).toEqual(before);
    const stranger = await openConsole(service);
    const signIn = await stranger.upload(IMPORT, { file: file(CSV) });
    expect([signIn.status, codesIn(signIn)]).toEqual([401, ['not_signed_in']]);
  });
});
