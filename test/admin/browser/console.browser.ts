import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { RequestsService } from '../../../src/admin/requests/requests.service';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { keepScreenshot, launchChromium, openPage } from '../../browser/browser';
import { expectFit, noticeOn, openConsolePage, saidOn, WIDTHS } from './console-page';

let service: TestService;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  service = await startTestService('sqlite');
  const keys = service.app.get(ApiKeysService);
  const soon = new Date(Date.now() + 12 * 86_400_000);
  await keys.create({ name: 'checkout', owner: 'Shop team', scopes: ['pets:read', 'pets:write'] });
  await keys.create({ name: 'contractor', scopes: ['pets:read'], expiresAt: soon });
  const { key } = await keys.create({ name: 'old scanner', owner: 'Logistics', scopes: ['pets:read'] });
  await keys.disable(key.id);
});
afterAll(async () => {
  await service.stop();
  await browser.close();
});

const signIn = (key = service.key, options: BrowserContextOptions = {}) =>
  openConsolePage(browser, service, key, options);
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('An operator %s', (_how, javaScriptEnabled) => {
  it('signs in, makes a key, sees it once, and revokes it', async () => {
    const { page, complaints, origins } = await signIn(service.key, {
      javaScriptEnabled,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('link', { name: 'New API key' }).click();
    const name = `made ${javaScriptEnabled}`;
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('pets:read').check();
    await page.getByRole('button', { name: 'Create API key' }).click();
    const token = await page.locator('.secret code').innerText();
    expect(token).toMatch(/^petk_[0-9A-Za-z]{49}$/);
    const copy = page.getByRole('button', { name: 'Copy', exact: true });
    expect(await copy.isVisible()).toBe(javaScriptEnabled);
    if (javaScriptEnabled) {
      await copy.click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    }
    expect((await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      200,
    );

    await page.getByRole('link', { name: 'Done', exact: true }).click();
    expect(await heading(page)).toBe(name);
    expect(await page.content()).not.toContain(token);
    // Back leads to a page that is not kept.
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke for good' }).click();
    await noticeOn(page).filter({ hasText: name }).waitFor();
    expect((await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );

    await page.getByRole('link', { name: 'Changes of this key' }).click();
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await heading(page)).toBe('Sign in');
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([service.managementUrl]);
    await page.context().close();
  });

  it('can open the navigation on a small screen', async () => {
    const { page, complaints } = await signIn(service.key, {
      javaScriptEnabled,
      viewport: { width: 380, height: 800 },
    });
    const link = page.getByRole('link', { name: 'Audit', exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.waitFor();
    if (javaScriptEnabled) await keepScreenshot(page, 'console-menu-380');
    await link.click();
    expect(await heading(page)).toBe('Audit');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('can choose the colour scheme', async () => {
    const { page } = await signIn(service.key, { javaScriptEnabled, colorScheme: 'light' });
    await page.goto(`${service.managementUrl}/admin/keys?q=check`);
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    expect(page.url()).toBe(`${service.managementUrl}/admin/keys?q=check`);
    expect(await ground()).not.toBe(light);
    await page.context().close();
  });
});

describe('A page with JavaScript', () => {
  it('sends a form once, whatever its fields are called', async () => {
    const { page, complaints } = await signIn();
    await page.goto(`${service.managementUrl}/admin/keys/new`);
    const isSent = await page.evaluate<boolean[]>(`(() => {
      const form = document.querySelector('form[action="/admin/keys/new"]');
      for (const name of ['method', 'dataset', 'getAttribute', 'closest', 'querySelector']) {
        form.append(Object.assign(document.createElement('input'), { name }));
      }
      form.click();
      const send = () => EventTarget.prototype.dispatchEvent.call(form, new SubmitEvent('submit', { bubbles: true, cancelable: true }));
      return [send(), send()];
    })()`);
    expect(isSent).toEqual([true, false]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('updates a list with its filters without loading a new page', async () => {
    const { page, complaints } = await signIn();
    await page.goto(`${service.managementUrl}/admin/keys`);
    await page.evaluate(`document.body.setAttribute('data-same', 'yes')`);
    await page.getByLabel('Search').pressSequentially('contr');
    await page.waitForURL('**/admin/keys?q=contr**');
    await until(async () => (await page.locator('tbody tr').count()) === 1);
    expect(await page.locator('body[data-same]').count()).toBe(1);
    await page.getByLabel('Attention').selectOption('idle');
    await page.locator('#results .empty').waitFor();
    expect(await page.locator('body[data-same]').count()).toBe(1);
    await page.goBack();
    await until(async () => (await page.locator('tbody tr').count()) === 1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('names the time zone of the browser on the button that chooses it', async () => {
    const { page, complaints } = await signIn(service.key, { timezoneId: 'America/New_York' });
    await page.goto(`${service.managementUrl}/admin/time-zone`);
    const button = page.locator('[data-own-zone]');
    expect(await button.innerText()).toBe('Use the zone of this browser: America/New York');
    await button.click();
    await page.getByText('Times are shown in America/New York.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('leads from a list to the sign-in when the session is over', async () => {
    const keys = service.app.get(ApiKeysService);
    const { key, token } = await keys.create({ name: 'short lived', scopes: ['admin:read'] });
    const { page } = await signIn(token);
    await page.goto(`${service.managementUrl}/admin/keys`);
    await keys.revoke(key.id);
    await page.getByLabel('Status').selectOption('all');
    await page.waitForURL('**/admin/sign-in?**');
    expect(await heading(page)).toBe('Sign in');
    await page.context().close();
  });
});

describe('The sessions of the console', () => {
  it('end in all browsers at once', async () => {
    const one = await signIn();
    const other = await signIn();
    await one.page.goto(`${service.managementUrl}/admin/sessions`);
    await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    for (const { page } of [one, other]) {
      await page.goto(`${service.managementUrl}/admin/keys`);
      expect(await heading(page)).toBe('Sign in');
      await page.context().close();
    }
  });

  it('end as soon as their key is revoked, and the next sign-in leads back to the page', async () => {
    const keys = service.app.get(ApiKeysService);
    const { key, token } = await keys.create({ name: 'leaving', scopes: ['admin:read'] });
    const { page } = await signIn(token);
    await keys.revoke(key.id);
    await page.goto(`${service.managementUrl}/admin/audit?action=keys.revoke`);
    expect(await heading(page)).toBe('Sign in');
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/admin/audit?action=keys.revoke');
    await page.context().close();
  });

  it('continue for a person who follows a link from another site', async () => {
    const { page } = await signIn();
    const elsewhere = service.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${elsewhere}/docs/guide`);
    const wanted = `${service.managementUrl}/admin/keys`;
    await page.evaluate(`
      const link = Object.assign(document.createElement('a'), { href: '${wanted}', textContent: 'the keys' });
      document.body.prepend(link);`);
    await page.getByText('the keys').click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(page.url()).toBe(wanted);
    await page.context().close();
  });

  it('lead a person who follows such a link without a session to the sign-in', async () => {
    const { page } = await openPage(browser);
    await page.setContent(`<a href="${service.managementUrl}/admin/keys">the keys</a>`);
    await page.getByText('the keys').click();
    await page.waitForURL('**/admin/sign-in?return=**');
    await page.context().close();
  });

  it('refuse a form of another site', async () => {
    const { page } = await signIn();
    const other = await page.context().newPage();
    const action = `${service.managementUrl}/admin/sign-out-everywhere`;
    await other.setContent(`<form method="post" action="${action}"><button>Win a pet</button></form>`);
    await other.getByRole('button').click();
    await other.waitForURL(action);
    await saidOn(other, 'not_allowed').waitFor();
    await page.reload();
    expect(await heading(page)).not.toBe('Sign in');
    await page.context().close();
  });

  it('refuse a form without their token', async () => {
    const { page } = await signIn();
    await page.goto(`${service.managementUrl}/admin/sessions`);
    await page.evaluate(`document.querySelectorAll('[name=_csrf]').forEach((field) => field.remove())`);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await saidOn(page, 'not_allowed').waitFor();
    await page.goto(`${service.managementUrl}/admin/sessions`);
    expect(await heading(page)).toBe('Your sessions');
    await page.context().close();
  });
});

describe.each(WIDTHS)('The console at a width of %i px', (width) => {
  let page: Page;

  beforeAll(async () => {
    const options = { viewport: { width, height: width === 380 ? 800 : 1080 } };
    ({ page } = await signIn(service.key, options));
  });
  afterAll(() => page.context().close());

  it.each([
    ['sign-in', () => '/admin/sign-in'],
    ['sessions', () => '/admin/sessions'],
    ['time-zone', () => '/admin/time-zone'],
    ['keys', () => '/admin/keys?status=all'],
    ['keys-none', () => '/admin/keys?q=nothing+like+it'],
    ['key', () => keyPath('contractor')],
    ['key-new', () => '/admin/keys/new'],
    ['key-rotate', async () => `${await keyPath('checkout')}/rotate`],
    ['key-revoke', async () => `${await keyPath('checkout')}/revoke`],
    ['audit', () => '/admin/audit'],
    ['audit-event', () => '/admin/audit/5'],
    ['request', requestPath],
    ['not-found', () => '/admin/nothing'],
  ])('is accessible and fits the screen: %s', async (name, path) => {
    await page.goto(`${service.managementUrl}${await path()}`);
    await expectFit(page, `console-${name}-${width}`);
  });

  it('is accessible and fits the screen when a new key is refused or shown', async () => {
    await page.goto(`${service.managementUrl}/admin/keys/new`);
    await page.getByLabel('Name').fill('shown');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('alert').waitFor();
    await expectFit(page, `console-key-refused-${width}`);
    await page.getByLabel('pets:read').check();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.locator('.secret').waitFor();
    await expectFit(page, `console-key-issued-${width}`);
  });
});

/** The page of a request that ran a long statement. */
async function requestPath(): Promise<string> {
  await service.app.get(RequestLog).write();
  const requests = service.app.get(RequestsService, { strict: false });
  const { items } = await requests.list({ operation: 'POST /admin/sign-in' }, { limit: 1 });
  return `/admin/requests/${items[0]?.id}`;
}

async function keyPath(name: string): Promise<string> {
  const key = (await service.app.get(ApiKeysService).list()).find((each) => each.name === name);
  return `/admin/keys/${key?.id}`;
}
