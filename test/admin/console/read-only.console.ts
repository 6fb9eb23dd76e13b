import { DataSource } from 'typeorm';
import { ReadOnlyService } from '../../../src/admin/read-only/read-only.service';
import { PetsModule } from '../../../src/pets/pets.module';
import { StoredEvent } from '../../../src/platform/events/stored-event.entity';
import { OperationRegistry } from '../../../src/platform/http/operations/operation-registry';
import { StoredRun } from '../../../src/platform/jobs/stored-run.entity';
import { ReadOnlyMode } from '../../../src/platform/read-only/read-only-mode';
import { FAILED_EVENT } from '../../support/service/failed-event';
import { startTestService, type TestService } from '../../support/service/service';
import { FAILED_RUN, RUNNING_RUN } from '../../support/service/stored-run';
import { until } from '../../support/until';
import { type ConsoleClient, hiddenFields, openConsole, unescaped } from '../../support/service/console';
import { ShelterModule } from '../../support/shelter/shelter.module';

const PETS = '/admin/records/pets';
const IMPORT = `${PETS}/import`;
const NEW_VIEW = `${PETS}/views/new?columns=id&sort-by=name`;

/** Each page of the console, by the path of its operation. */
const PAGES: Readonly<Record<string, string>> = {
  '/admin/audit': '/admin/audit',
  '/admin/audit/:id': '/admin/audit/<change>',
  '/admin/audit/erase': '/admin/audit/erase?subject=pets/1',
  '/admin/find': '/admin/find?q=Max',
  '/admin/guests/:guestId/letter': '/admin/guests/1/letter',
  '/admin/guests/days': '/admin/guests/days',
  '/admin/guests/letters': '/admin/guests/letters',
  '/admin/help': '/admin/help',
  '/admin/jobs': '/admin/jobs',
  '/admin/keys': '/admin/keys',
  '/admin/keys/:id': '/admin/keys/<key>',
  '/admin/keys/:id/edit': '/admin/keys/<key>/edit',
  '/admin/keys/:id/revoke': '/admin/keys/<key>/revoke',
  '/admin/keys/:id/rotate': '/admin/keys/<key>/rotate',
  '/admin/keys/:id/rules': '/admin/keys/<key>/rules',
  '/admin/keys/new': '/admin/keys/new',
  '/admin/overview': '/admin/overview',
  '/admin/records/:kind': PETS,
  '/admin/records/:kind/:id': `${PETS}/1`,
  '/admin/records/:kind/:id/edit': `${PETS}/1/edit`,
  '/admin/records/:kind/:id/remove': `${PETS}/1/remove`,
  '/admin/records/:kind/actions/:action': `${PETS}/actions/remove?chosen-id=1`,
  '/admin/records/:kind/bulk': `${PETS}/bulk?set-status=sold`,
  '/admin/records/:kind/import': IMPORT,
  '/admin/records/:kind/imports/:run/undo': `${PETS}/imports/1/undo`,
  '/admin/records/:kind/new': `${PETS}/new`,
  '/admin/records/:kind/views': `${PETS}/views`,
  '/admin/records/:kind/views/:id': `${PETS}/views/1`,
  '/admin/records/:kind/views/new': NEW_VIEW,
  '/admin/reports': '/admin/reports',
  '/admin/reports/usage': '/admin/reports/usage',
  '/admin/requests': '/admin/requests',
  '/admin/requests/:id': '/admin/requests/<request>',
  '/admin/sessions': '/admin/sessions',
  '/admin/system': '/admin/system',
  '/admin/system/migrations': '/admin/system/migrations',
  '/admin/system/read-only': '/admin/system/read-only',
  '/admin/system/settings': '/admin/system/settings',
  '/admin/time-zone': '/admin/time-zone',
};

/** Pages in other states: with a module's actions, a removed record, a disabled key, the change of an import. */
const MORE_PAGES = [
  '/admin/records/guests',
  '/admin/records/guests/1',
  `${PETS}/2`,
  `${PETS}/bulk`,
  '/admin/keys/<disabled>',
  '/admin/audit/<import>',
];

/** What the console has besides pages for people who are signed in. */
const NO_PAGES =
  /^\/admin$|^\/admin\/(assets|sign-in|audit\/erase\/held)|\/(export\/:format|options|refused)$/;

/** What may be sent all the same: what protects the service, and what is about the person alone or changes nothing. */
const ALLOWED = [
  '/admin/keys/<id>/disable',
  '/admin/keys/<id>/revoke',
  `${PETS}/columns`,
  IMPORT,
  '/admin/sessions/<id>/end',
  '/admin/sign-out',
  '/admin/sign-out-everywhere',
  '/admin/theme',
  '/admin/time-zone',
];

/** What ends the mode, which is offered as long as it is on. */
const READ_ONLY_OFF = '/admin/system/read-only/off';

/** Pages that begin a change. */
const BEGINNING = /\/(new|edit|remove|rotate|rules|bulk|import|undo|views\/\d+|actions\/\w+)(\?|$)/;

/** The id of a session or a key in a path. */
const ID = /(?<=\/)((?:key|ses)_\w+|\d+)(?=\/)/g;

/** The link to a request. */
const REQUEST = /\/admin\/requests\/(\d+)"/;

/** Paths to which a page can send a form with the button that it has for this. */
function formsOf(html: string): string[] {
  return [...html.matchAll(/<form\b([^>]*\bmethod="post"[^>]*)>([\s\S]*?)<\/form>/g)].flatMap(
    ([, form = '', content = '']) =>
      [...content.matchAll(/<button\b([^>]*\btype="submit"[^>]*)>/g)]
        .map(([, button = '']) => button)
        .filter((button) => !/ disabled\b/.test(button))
        .map((button) => /formaction="([^"]*)"/.exec(button) ?? /\baction="([^"]*)"/.exec(form))
        .map((action) => unescaped(action?.[1] ?? '').replace(ID, '<id>')),
  );
}

/** Paths of links and buttons that begin a change. */
function beginningsOf(html: string): string[] {
  return [...html.matchAll(/<(?:a|button)\b[^>]*? (?:href|formaction)="([^"]*)"/g)]
    .map(([, path = '']) => unescaped(path))
    .filter((path) => BEGINNING.test(path));
}

function found(pattern: RegExp, html: string): string {
  const [, text] = pattern.exec(html) ?? [];
  if (text === undefined) throw new Error(`There is no ${pattern.source}.`);
  return text;
}

describe('The console of a service that is read-only', () => {
  let service: TestService;
  let client: ConsoleClient;
  let preview = '';
  /** Ids in {@link PAGES} by their names. */
  const ids: Record<string, string> = {};

  const html = async (path: string) => (await client.get(path)).html;

  /** Uploads a file of pets, and returns the page that asks whether to add them. */
  const upload = async () => {
    const file = new File(['name,categoryId\nTex,7\n,x\n'], 'pets.csv');
    return (await client.upload(IMPORT, { ...hiddenFields(await html(IMPORT), IMPORT), format: '', file }))
      .html;
  };

  beforeAll(async () => {
    service = await startTestService('sqlite', {}, { features: { PetsModule, ShelterModule } });
    client = await openConsole(service, service.key);
    // A second session, which the first can end.
    await openConsole(service, service.key);
    for (const name of ['Rex', 'Luna']) await service.post('/v1/pets', { name, categoryId: 7 });
    await client.submit(`${PETS}/2/remove`, `${PETS}/2/remove`);
    await client.submit(`${PETS}/1/edit`, `${PETS}/1/edit`, { name: 'Max' });
    const naming = await html(NEW_VIEW);
    const saving = found(/action="([^"]*\/views\/new[^"]*)"/, naming);
    await client.post(unescaped(saving), { ...hiddenFields(naming, saving), name: 'Mine' });
    await client.upload(`${IMPORT}/run`, hiddenFields(await upload(), `${IMPORT}/run`));
    await service.keyWith('pets:read');
    const keys = [...(await html('/admin/keys')).matchAll(/\/admin\/keys\/(key_\w+)/g)].map(
      ([, id = '']) => id,
    );
    const own = service.principal.keyId;
    const disabled = keys.find((id) => id !== own) ?? 'none';
    await client.submit(`/admin/keys/${disabled}`, `/admin/keys/${disabled}/disable`);
    const dataSource = service.app.get(DataSource);
    await dataSource.getRepository(StoredEvent).insert({ ...FAILED_EVENT });
    await dataSource.getRepository(StoredRun).insert([{ ...FAILED_RUN }, { ...RUNNING_RUN }]);
    // Requests are written in the background.
    await until(async () => REQUEST.test(await html('/admin/requests')));
    Object.assign(ids, {
      key: own,
      disabled,
      change: found(/\/admin\/audit\/(\d+)"/, await html('/admin/audit?action=pets.update')),
      import: found(/\/admin\/audit\/(\d+)"/, await html('/admin/audit?action=pets.import')),
      request: found(REQUEST, await html('/admin/requests')),
    });
  });
  afterAll(() => service.stop());

  const pathOf = (page: string) => page.replace(/<(\w+)>/g, (_, name: string) => ids[name] ?? name);
  const everyPage = [...Object.values(PAGES), ...MORE_PAGES];

  it('has all pages that this test knows, and before it is read-only, what begins and makes changes', async () => {
    const paths = service.app
      .get(OperationRegistry)
      .of('management')
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/admin') && !NO_PAGES.test(path))
      .map(({ path }) => path);
    expect(paths.toSorted()).toEqual(Object.keys(PAGES).toSorted());
    const sent = new Set<string>();
    const begun = new Set<string>();
    for (const page of everyPage) {
      const { status, html: shown } = await client.get(pathOf(page));
      expect([page, status]).toEqual([page, 200]);
      for (const path of formsOf(shown)) sent.add(path);
      for (const path of beginningsOf(shown)) begun.add(path);
    }
    expect([...sent]).toEqual(expect.arrayContaining(ALLOWED));
    expect(sent.size).toBeGreaterThan(2 * ALLOWED.length);
    expect(begun.size).toBeGreaterThan(8);
    preview = await upload();
    expect(formsOf(preview)).toContain(`${IMPORT}/run`);
  });

  describe('once the mode is on,', () => {
    beforeAll(async () => {
      await service.app.get(ReadOnlyService, { strict: false }).switchOn('a drill');
      await until(() => service.app.get(ReadOnlyMode, { strict: false }).isOn);
    });

    it.each(everyPage)('offers no change on %s', async (page) => {
      const shown = await client.get(pathOf(page));
      expect(shown.status).toBe(200);
      expect(shown.html).toContain('a drill');
      expect(
        formsOf(shown.html).filter(
          (path) => ![...ALLOWED, READ_ONLY_OFF].includes(path.replace('/guests/', '/pets/')),
        ),
      ).toEqual([]);
      expect(beginningsOf(shown.html)).toEqual([]);
    });

    it('offers no import on the preview of a file, but its refused rows', async () => {
      preview = await upload();
      expect(formsOf(preview)).not.toContain(`${IMPORT}/run`);
      expect(formsOf(preview)).toContain(`${IMPORT}/refused`);
    });

    it('does not say that all is well', async () => {
      const shown = await html('/admin/overview');
      expect(shown).not.toContain('state-ok');
      expect(shown).toContain('state-read-only');
    });
  });
});
