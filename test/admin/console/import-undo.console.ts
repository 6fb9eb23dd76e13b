import { Injectable, Module } from '@nestjs/common';
import { RecordsService } from '../../../src/admin/records/records.service';
import { ImportUndo } from '../../../src/admin/records/transfer/import-undo.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { NewPetDto } from '../../../src/pets/dto/new-pet.dto';
import { PetDto } from '../../../src/pets/dto/pet.dto';
import { Pet } from '../../../src/pets/pet.entity';
import { PetsModule } from '../../../src/pets/pets.module';
import { PetsService } from '../../../src/pets/pets.service';
import { adminRecords } from '../../../src/platform/features/admin-records';
import { Feature } from '../../../src/platform/features/feature.decorator';
import type { Precondition } from '../../../src/platform/http/request/precondition';
import type { Created } from '../../../src/platform/http/response/created';
import { describeOneEngine } from '../../support/databases/databases';
import { withFeatures } from '../../support/service/with-features';
import { holdJobs } from '../../support/service/held-jobs';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
  textIn,
  unescaped,
} from '../../support/service/console';
import { calloutIn, codesIn, factsIn, historyIn, noticeIn } from './support/said';

@Injectable()
class StraysService {
  constructor(private readonly pets: PetsService) {}

  create(pet: NewPetDto): Promise<Created<PetDto>> {
    return this.pets.create(pet);
  }

  delete(id: bigint, ifMatch?: Precondition): Promise<void> {
    return this.pets.delete(id, ifMatch);
  }
}

/** A module that does not bring removed records back. */
@Feature({
  admin: adminRecords({
    name: 'strays',
    one: 'stray',
    entity: Pet,
    record: PetDto,
    creation: NewPetDto,
    service: StraysService,
  }),
})
@Module({ imports: [PetsModule], providers: [StraysService] })
class StraysModule {}

const LIST = '/admin/records/pets';
const IMPORT = `${LIST}/import`;
const RUN = `${IMPORT}/run`;

/** Where the button "Undo" of a page leads to. */
function undoIn({ html }: ConsoleResponse): string {
  return /action="([^"]+\/undo)"/.exec(html)?.[1] ?? 'none';
}

describeOneEngine('An import in the console', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:pets'));
  });
  afterAll(() => service.stop());

  /** Imports so many pets; returns the list, with the notice about them. */
  const imported = async (part: string, count: number): Promise<ConsoleResponse> => {
    const rows = Array.from({ length: count }, (_, index) => `${part} ${index},1\n`);
    const file = new File([`name,categoryId\n${rows.join('')}`], `${part}.csv`);
    const token = hiddenFields((await client.get('/admin/sessions')).html, '/admin/sign-out');
    const shown = await client.upload(IMPORT, { ...token, format: '', file });
    const { location } = await client.upload(RUN, hiddenFields(shown.html, RUN));
    return client.get(location ?? '');
  };
  const idsOf = async (part: string) =>
    (await records.search(PETS_ADMIN, { filter: { where: { name: { contains: part } } }, limit: 5_000 })).map(
      ({ values }) => values.id,
    );
  const titles = ({ html }: ConsoleResponse) =>
    [...html.matchAll(/class="row-title" href="\/admin\/records\/pets\/\d+">(?:<[^>]*>)*([^<]*)</g)].map(
      ([, title]) => title,
    );

  it('is one entry of the audit log that opens into its records, page by page', async () => {
    await imported('opened', 60);
    const list = await client.get('/admin/audit');
    expect(textIn(list)).toMatch(/pets\.import 60 pets .*?\bopened\.csv/);
    expect(list.html.match(/>pets\.import</g)).toHaveLength(1);
    const [, path = ''] = /href="(\/admin\/audit\/\d+)">60 pets</.exec(list.html) ?? [];
    const opened = await client.get(path);
    expect(factsIn(opened)).toMatchObject({
      File: 'opened.csv',
      Rows: '60',
      Added: '60 pets',
      Refused: '0',
    });
    expect(titles(opened)).toEqual(Array.from({ length: 50 }, (_, index) => `opened ${59 - index}`));
    const [, next = ''] = /href="([^"]*)" rel="next"/.exec(opened.html) ?? [];
    const last = await client.get(unescaped(next));
    expect([titles(last), last.html.includes('rel="next"')]).toEqual([
      Array.from({ length: 10 }, (_, index) => `opened ${9 - index}`),
      false,
    ]);
  });

  it('keeps its refused rows to download on the page of its entry', async () => {
    const token = hiddenFields((await client.get('/admin/sessions')).html, '/admin/sign-out');
    const rows = Array.from(
      { length: 1_500 },
      (_, index) => `some ${index},${index % 500 === 7 ? 'x' : '1'}\n`,
    );
    const file = new File([`name,categoryId\n${rows.join('')}`], 'some.csv');
    const shown = await client.upload(IMPORT, { ...token, format: '', file });
    await client.upload(RUN, hiddenFields(shown.html, RUN));
    const list = await client.get(LIST);
    const [, entryPath = ''] = /href="([^"]*)">View</.exec(list.html) ?? [];
    const [, path = ''] = /href="([^"]*\/refused)" download/.exec((await client.get(entryPath)).html) ?? [];
    const { status, raw } = await client.get(path);
    expect(status).toBe(200);
    expect(raw.body.replaceAll(/,categoryId [^,]*,/g, ',why,').split('\r\n')).toEqual([
      'refusedLine,refusedBecause,name,categoryId',
      '9,why,some 7,x',
      '509,why,some 507,x',
      '1009,why,some 1007,x',
      '',
    ]);
    const reader = await openConsole(service, await service.keyWith('admin:read'));
    expect((await reader.get(path)).status).toBe(403);
    expect((await reader.get(entryPath)).html).not.toContain('/refused');
    expect((await client.get(path.replace(/\d+/, '987654'))).status).toBe(404);
  });

  it('is undone in the background by "Undo", which says what it did and what it left alone', async () => {
    const list = await imported('undone', 120);
    expect(noticeIn(list)).toEqual({
      tone: 'success',
      text: expect.stringContaining('120 pets'),
      actions: ['View', 'Undo'],
    });
    const [since] = (await idsOf('undone')) as [bigint];
    await service.app.get(PetsService, { strict: false }).update(since, { name: 'undone, not' });
    const undo = undoIn(list);
    const jobs = holdJobs(service);
    expect(undo).toMatch(/^\/admin\/records\/pets\/imports\/\d+\/undo$/);
    const asked = await client.post(undo, hiddenFields(list.html, undo));
    expect(asked.location).toBe(LIST);
    const back = await client.get(LIST);
    expect(noticeIn(back)).toMatchObject({ tone: 'success', actions: ['View'] });
    const [, path = ''] = /href="([^"]*)">View</.exec(back.html) ?? [];
    const entry = await client.get(path);
    expect(calloutIn(entry, 'undoing')).toMatch(/\b0 pets\b.*\b120\b/);
    expect(undoIn(entry)).toBe('none');
    const again = await client.post(undo, hiddenFields(list.html, undo));
    expect(noticeIn(await client.get(again.location ?? ''))).toMatchObject({ tone: 'warning' });
    jobs.release();
    await until(async () => codesIn(await client.get(path)).includes('undone'));
    expect(await idsOf('undone')).toEqual([since]);
    const done = await client.get(path);
    expect(calloutIn(done, 'undone')).toMatch(/\b119 pets\b.*\b1 pet\b/);
    expect(done.html).toMatch(new RegExp(`id="left-alone"[^]*<li><a href="${LIST}/${since}">`));
    expect(undoIn(done)).toBe('none');
    const audit = await client.get('/admin/audit');
    const [, run = ''] = /imports\/(\d+)\/undo/.exec(undo) ?? [];
    expect(audit.html.match(new RegExp(`>undo of import ${run}<`, 'g'))).toHaveLength(1);
    expect(audit.html).not.toContain('>pets.remove_all<');
    const gone = /href="\/admin\/records\/pets\/(\d+)"/.exec(
      (await client.get(`${LIST}?name=undone&removed-records=only`)).html,
    )?.[1];
    const record = await client.get(`${LIST}/${gone}`);
    expect(historyIn(record).map(([title]) => title)).toEqual(['Undone', 'Imported']);
    expect(textIn(record)).toContain(`undo of import ${run}`);
    const [, removal = ''] = /href="(\/admin\/audit\/\d+)">119 pets</.exec(audit.html) ?? [];
    const opened = await client.get(removal);
    expect(factsIn(opened)).toMatchObject({ Action: 'pets.remove_all' });
    expect(opened.html.match(/>pets\.remove</g)).toHaveLength(50);
    expect(undoIn(opened)).toBe('none');
    const [, next = ''] = /href="([^"]*)" rel="next"/.exec(opened.html) ?? [];
    expect((await client.get(unescaped(next))).html.match(/>pets\.remove</g)).toHaveLength(50);
  });

  it('says that its undo was interrupted, and how far it came', async () => {
    const list = await imported('half', 600);
    const [, run = ''] = /imports\/(\d+)\/undo/.exec(undoIn(list)) ?? [];
    const end = new AbortController();
    const onPiece = ({ undone }: { undone: number }) => undone > 0 && end.abort();
    await service.app.get(ImportUndo, { strict: false }).undo(PETS_ADMIN, BigInt(run), {
      signal: end.signal,
      onPiece,
    });
    const left = await idsOf('half');
    const [, path = ''] = /href="([^"]*)">View</.exec(list.html) ?? [];
    const entry = await client.get(path);
    expect(calloutIn(entry, 'undone_in_part')).toMatch(new RegExp(`\\b${600 - left.length} pets of 600\\b`));
    await client.post(undoIn(entry), hiddenFields(entry.html, undoIn(entry)));
    await until(async () => codesIn(await client.get(path)).includes('undone'));
    expect(await idsOf('half')).toEqual([]);
  });

  it('is undone only after a question where removed records are not kept', async () => {
    const shelter = await withFeatures({ StraysModule }, () => startTestService(engine));
    const operator = await openConsole(shelter, await shelter.keyWith('admin:read', 'admin:strays'));
    const token = hiddenFields((await operator.get('/admin/sessions')).html, '/admin/sign-out');
    const path = '/admin/records/strays/import';
    const file = new File(['name,categoryId\nstray,1\n'], 'strays.csv');
    const shown = await operator.upload(path, { ...token, format: '', file });
    await operator.upload(`${path}/run`, hiddenFields(shown.html, `${path}/run`));
    const list = await operator.get('/admin/records/strays');
    expect(noticeIn(list)).toMatchObject({ text: expect.stringContaining('1 stray'), actions: ['View'] });
    const [, entryPath = ''] = /href="([^"]*)">View</.exec(list.html) ?? [];
    const entry = await operator.get(entryPath);
    const [, ask = ''] = /href="([^"]*\/imports\/\d+\/undo)">Undo</.exec(entry.html) ?? [];
    expect(undoIn(entry)).toBe('none');
    const question = await operator.get(ask);
    expect(codesIn(question)).toEqual(['for_good']);
    const done = await operator.post(ask, hiddenFields(question.html, ask));
    expect(done.location).toBe(entryPath);
    await until(async () => codesIn(await operator.get(entryPath)).includes('undone'));
    expect(calloutIn(await operator.get(entryPath), 'undone')).toContain('1 stray');
    await shelter.stop();
  });

  it('is not undone without the scope for it, nor one that is not there', async () => {
    const list = await imported('kept', 2);
    const undo = undoIn(list);
    const reader = await openConsole(service, await service.keyWith('admin:read'));
    const audit = await reader.get('/admin/audit?action=pets.import');
    const [, path = ''] = /href="(\/admin\/audit\/\d+)">2 pets</.exec(audit.html) ?? [];
    const entry = await reader.get(path);
    expect([titles(entry).length, undoIn(entry)]).toEqual([2, 'none']);
    const token = hiddenFields(audit.html, '/admin/sign-out');
    expect((await reader.post(undo, token)).status).toBe(403);
    const missing = undo.replace(/\d+/, '987654');
    expect((await client.post(missing, hiddenFields(list.html, undo))).status).toBe(404);
    expect(await idsOf('kept')).toHaveLength(2);
  });
});
