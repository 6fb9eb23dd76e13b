import { Writable } from 'node:stream';
import { Module } from '@nestjs/common';
import { recordCommands } from '../../src/admin/records/commands/records.command';
import { RecordsService } from '../../src/admin/records/records.service';
import { refuseReservedNames } from '../../src/admin/records/reserved-names';
import { PetStatus } from '../../src/pets/pet-status';
import { PETS_ADMIN } from '../../src/pets/pets.admin';
import { PetsModule } from '../../src/pets/pets.module';
import { PetsService } from '../../src/pets/pets.service';
import { AuditLog } from '../../src/platform/audit/audit-log';
import type { AdminRecords } from '../../src/platform/features/admin-records';
import type { Cli } from '../../src/platform/cli/cli';
import { ProcessOutput } from '../../src/platform/cli/process-output';
import { runProgram } from '../../src/platform/cli/program';
import { ReadOnlyMode } from '../../src/platform/read-only/read-only-mode';
import { describeEachEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
  typedIn,
  unescaped,
} from './support/console';
import { CarelessController } from './support/adoption-day.controller';
import { ShelterModule } from './support/shelter.module';

const LIST = '/admin/records/guests';
const ADOPT = `${LIST}/actions/adopt`;

/** The text of a page without its markup. */
function textIn({ html }: ConsoleResponse): string {
  return unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
}

describeEachEngine('The additions of a module for operators', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let guests: AdminRecords;
  let pets: PetsService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(
      engine,
      { SHELTER_DAYS_PER_TOWN: '2' },
      { features: { PetsModule, ShelterModule } },
    );
    records = service.app.get(RecordsService, { strict: false });
    pets = service.app.get(PetsService, { strict: false });
    guests = records.recordTypeNamed('guests') as AdminRecords;
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:guests'));
  });
  afterAll(() => service.stop());

  const add = async (status = 'available') =>
    (await records.create(PETS_ADMIN, { name: 'Rex', categoryId: 3n, status })).id;
  const statuses = (...ids: bigint[]) =>
    Promise.all(ids.map(async (id) => (await records.get(guests, id)).values.status));
  const lastEvent = async (id: bigint) => (await records.history(guests, id, 1)).entries[0]?.event;

  /** Confirms an action on its page, and follows to the page after it. */
  async function confirm(path: string): Promise<ConsoleResponse> {
    const { html } = await client.get(path);
    const response = await client.post(path, hiddenFields(html, path.replaceAll('&', '&amp;')));
    return response.location === undefined ? response : client.get(response.location);
  }

  async function undo(page: ConsoleResponse): Promise<ConsoleResponse> {
    const path = /action="([^"]+\/undo)"/.exec(page.html)?.[1] ?? 'none';
    const { location } = await client.post(path, hiddenFields(page.html, path));
    return client.get(location ?? '');
  }

  it('include an action on a record, which is confirmed, recorded, and can be undone from the notice', async () => {
    const id = await add();
    const page = await client.get(`${LIST}/${id}`);
    expect(page.html).toContain(`<a class="button" href="${ADOPT}?chosen-id=${id}">Adopt</a>`);
    const asked = textIn(await client.get(`${ADOPT}?chosen-id=${id}`));
    expect(asked).toContain('Adopt Rex?');
    expect(asked).toContain('It goes to its new home.');
    expect(asked).toContain('It can be undone.');
    expect(await statuses(id)).toEqual(['available']);
    const done = await confirm(`${ADOPT}?chosen-id=${id}`);
    expect(textIn(done)).toContain(`The guest ${id} was adopted. Undo`);
    expect(textIn(done)).toMatch(/Adopted by test key_\w+ .* Status: Available → became Sold/);
    expect(done.html).not.toContain(ADOPT);
    expect(await lastEvent(id)).toMatchObject({ action: 'guests.adopt', address: '127.0.0.1' });
    expect(textIn(await undo(done))).toContain('Undone. View Redo');
    expect(await statuses(id)).toEqual(['available']);
  });

  it('refuse an action with the error of the module, and when the record has changed since', async () => {
    const id = await add();
    const path = `${ADOPT}?chosen-id=${id}`;
    const { html } = await client.get(path);
    await pets.update(id, { name: 'Max' });
    const changed = await client.post(path, hiddenFields(html, path));
    expect([changed.status, textIn(changed)]).toEqual([
      409,
      expect.stringContaining(`The guest ${id} was changed meanwhile by an API client.`),
    ]);
    await pets.update(id, { status: PetStatus.Sold });
    const refused = await confirm(path);
    expect([refused.status, textIn(refused)]).toEqual([
      409,
      expect.stringContaining('There is a problem It has a home already.'),
    ]);
    expect(await lastEvent(id)).toBeUndefined();
  });

  it('include an action on chosen rows, all or none, which is undone as one', async () => {
    const [first, second, homed] = [await add(), await add('pending'), await add('sold')];
    const { html } = await client.get(LIST);
    expect(html).toContain(`formaction="${ADOPT}"`);
    const refused = await confirm(`${ADOPT}?chosen-id=${first}&chosen-id=${second}&chosen-id=${homed}`);
    expect(textIn(refused)).toContain(`The guest ${homed}: It has a home already. Nothing was changed.`);
    expect(await statuses(first, second)).toEqual(['available', 'pending']);
    const done = await confirm(`${ADOPT}?chosen-id=${first}&chosen-id=${second}`);
    expect(textIn(done)).toContain('2 guests were adopted. Undo');
    expect(await statuses(first, second)).toEqual(['sold', 'sold']);
    expect(textIn(await undo(done))).toContain('Undone for 2 guests. View Redo');
    expect(await statuses(first, second)).toEqual(['available', 'pending']);
    expect((await client.get(ADOPT)).status).toBe(404);
    expect((await client.get(`${ADOPT}?chosen-id=${first},0`)).status).toBe(404);
  });

  it('require exactly the scope of the action, which keys can be given', async () => {
    const id = await add();
    const path = `${LIST}/actions/praise?chosen-id=${id}`;
    expect((await client.get(path)).status).toBe(403);
    expect((await client.get(`${LIST}/${id}`)).html).not.toContain('actions/praise');
    const praising = await openConsole(service, await service.keyWith('admin:read', 'admin:praise'));
    expect((await praising.get(`${ADOPT}?chosen-id=${id}`)).status).toBe(403);
    expect((await praising.get(`${LIST}/${id}`)).html).toContain(`href="${path}"`);
    expect(textIn(await praising.get(path))).toContain('It cannot be undone.');
    const { location } = await praising.submit(path, path);
    const done = await praising.get(location ?? '');
    expect(textIn(done)).toContain(`The guest ${id} was praised.`);
    expect(done.html).not.toContain('/undo"');
    // Nothing of the record is changed by it.
    expect(await lastEvent(id)).toMatchObject({ action: 'guests.praise' });
    const managing = await openConsole(service, service.key);
    expect(textIn(await managing.get('/admin/keys/new'))).toContain(
      'admin:praise Praise guests in this console',
    );
  });

  it('include panels on records and on the overview, which fail alone', async () => {
    const id = await add();
    const page = textIn(await client.get(`${LIST}/${id}`));
    expect(page).toMatch(/Care Walks 12,345 since <May> Last walk \d+ days? ago Vet – none/);
    const overview = await client.get('/admin/overview');
    expect(textIn(overview)).toContain('Homes found Town Homes Near Bern & Thun 7 Yes Basel 1,234 No');
    expect(textIn(overview)).toContain('Lost This could not be read; see the log of the service.');
    expect(service.log()).toContain('The panel has no content.');
  });

  it('include an icon in the navigation', async () => {
    const { html } = await client.get('/admin/overview');
    expect(html).toMatch(/href="\/admin\/records\/guests"><svg[^>]*><path d="M12 20S4/);
  });

  describe('include a page with a form', () => {
    const DAYS = '/admin/guests/days';
    let host: ConsoleClient;
    beforeAll(async () => {
      host = await openConsole(service, await service.keyWith('admin:read', 'admin:days'));
    });

    const announce = (fields: Record<string, string>) => host.submit(DAYS, DAYS, fields);

    it('which those find in the navigation who may see it', async () => {
      expect((await host.get('/admin/overview')).html).toMatch(
        /href="\/admin\/guests\/days"><svg[^>]*><path d="M4 6h16v14[^>]*><\/svg>Adoption days</,
      );
      expect((await client.get('/admin/overview')).html).not.toContain(DAYS);
      expect((await client.get(DAYS)).status).toBe(403);
      expect((await client.post(DAYS, { town: 'Bern' })).status).toBe(403);
      const anyone = await openConsole(service);
      expect((await anyone.get(DAYS)).location).toBe('/admin/sign-in?return=%2Fadmin%2Fguests%2Fdays');
      const managing = await openConsole(service, service.key);
      expect(textIn(await managing.get('/admin/keys/new'))).toContain(
        'admin:days Adoption days in this console',
      );
    });

    it('which is carried out once, and is in the audit log with its values', async () => {
      const { html } = await host.get(DAYS);
      const form = { ...hiddenFields(html, DAYS), town: 'Thun', visitors: '1200' };
      expect((await host.post(DAYS, form)).location).toBe(DAYS);
      const next = textIn(await host.get(DAYS));
      expect(next).toContain('The day in Thun was announced.');
      expect(next).toContain('Thun: 1,200');
      expect((await host.post(DAYS, form)).status).toBe(409);
      const audit = service.app.get(AuditLog, { strict: false });
      const events = await audit.list({ action: 'guests.days' }, { limit: 10 });
      expect(events).toMatchObject([
        { subjectType: 'pages', subjectId: 'guests/days', after: '{"town":"Thun","visitors":1200}' },
      ]);
      expect(events[0]?.actor).toMatch(/^key_/);
    });

    it('which is shown again with its faults at their fields, and may then be sent', async () => {
      const refused = await announce({ town: 'A town of too many letters', visitors: 'many' });
      expect(refused.status).toBe(422);
      expect(typedIn(refused, 'visitors')).toBe('many');
      expect(refused.html).toContain('<a href="#field-visitors">Visitors must be an integer');
      expect(refused.html).toMatch(/id="field-town-error">Town must be/);
      const taken = await host.submit(DAYS, DAYS, { town: 'Olten' });
      expect(taken.location).toBe(DAYS);
      expect((await announce({ town: 'Olten' })).location).toBe(DAYS);
      const again = await announce({ town: 'Olten' });
      expect(again.status).toBe(409);
      expect(textIn(again)).toContain('There is a problem There are days enough in this town.');
      const mended = { ...hiddenFields(again.html, DAYS), town: 'Genf' };
      expect((await host.post(DAYS, mended)).location).toBe(DAYS);
    });

    it('which a forged token, or none, does not carry out', async () => {
      const { html } = await host.get(DAYS);
      const forged = { ...hiddenFields(html, DAYS), town: 'Chur', _csrf: 'forged' };
      // The page shows what was typed, and asks for it again.
      expect((await host.post(DAYS, forged)).location).toBe(DAYS);
      const shown = await host.get(DAYS);
      expect(typedIn(shown, 'town')).toBe('Chur');
      expect(textIn(shown)).not.toContain('Chur:');
      expect((await host.post(DAYS, { town: 'Chur' })).status).toBe(403);
    });

    it('which changes nothing while the service is read-only', async () => {
      const mode = service.app.get(ReadOnlyMode);
      const sentence = jest.spyOn(mode, 'sentence', 'get').mockReturnValue('The service is read-only.');
      const refused = await announce({ town: 'Brig' });
      sentence.mockRestore();
      expect(refused.status).toBe(503);
      expect(textIn(refused)).toContain('The service is read-only. Nothing was changed.');
      expect(textIn(await host.get(DAYS))).not.toContain('Brig');
    });
  });

  it('include a setting, which is shown beside those of the service', async () => {
    const managing = await openConsole(service, service.key);
    expect(textIn(await managing.get('/admin/system/settings'))).toMatch(
      /SHELTER_DAYS_PER_TOWN 2 environment Adoption days that one town may have\./,
    );
    const environment = { SHELTER_DAYS_PER_TOWN: 'none' };
    const start = startTestService('sqlite', environment, { features: { PetsModule, ShelterModule } });
    await expect(start).rejects.toThrow('SHELTER_DAYS_PER_TOWN must be an integer from 1 to 9.');
  });

  it('include a command, which requires --yes where nobody can be asked', async () => {
    const ids = [await add(), await add()];
    const [first, second] = ids;
    const run = async (...words: string[]) => {
      const written = ['', ''];
      const [stdout, stderr] = [0, 1].map(
        (i) =>
          new Writable({
            write: (chunk: Buffer, _encoding, done) => {
              written[i] += chunk.toString();
              done();
            },
          }) as unknown as NodeJS.WriteStream,
      ) as [NodeJS.WriteStream, NodeJS.WriteStream];
      const cli = {
        output: new ProcessOutput(stdout, stderr),
        withApp: (work: Parameters<Cli['withApp']>[0]) => work(service.app),
      } as unknown as Cli;
      const code = await runProgram([recordCommands({ ShelterModule })], cli, ['guests', ...words]);
      return { code, out: written[0] ?? '', said: written[1] ?? '' };
    };
    expect(await run('adopt', `${first}`)).toMatchObject({ code: 2, said: 'Confirm it with --yes.\n' });
    const { code, out, said } = await run('adopt', `${first}`, `${second}`, '--yes', '--json');
    const { changed, change } = JSON.parse(out) as { changed: number; change: number };
    expect([code, changed, said]).toEqual([
      0,
      2,
      `2 guests were adopted.\nTo undo it: petstore guests undo ${change}\n`,
    ]);
    expect(await statuses(...ids)).toEqual(['sold', 'sold']);
    expect(await run('adopt', `${first}`, '--yes')).toMatchObject({
      code: 4,
      said: 'It has a home already.\n',
    });
    expect((await run('undo', `${change}`)).said).toContain('2 guests are as before the change.');
    expect((await run('praise', '--help')).out).toContain('petstore guests praise 1 2 --yes');
    expect((await run('adopt', '999999999', '--yes')).code).toBe(3);
  });
});

describe('A page of a module', () => {
  it('whose form anybody could send stops the start', async () => {
    @Module({ controllers: [CarelessController] })
    class CarelessModule {}
    const start = withFeatures({ CarelessModule }, () => startTestService('sqlite'));
    await expect(start).rejects.toThrow(
      "POST /admin/guests/careless (CarelessController.send) changes something and must have @ConsoleScopes('admin:...'), which says who may send the form.",
    );
  });
});

describe('An action of a module', () => {
  it('cannot have the name of an action that all records have', () => {
    const recordType = { ...PETS_ADMIN, actions: { updateAll: { title: 'Update', done: 'updated' } } };
    expect(() => refuseReservedNames([recordType])).toThrow('"updateAll" is a command or page of pets');
    const other = { ...PETS_ADMIN, actions: { 'a b': { title: 'A', done: 'b' } } };
    expect(() => refuseReservedNames([other])).toThrow('"a b"');
  });
});
