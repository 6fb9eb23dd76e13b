import type { Browser } from 'playwright-core';
import { freePort } from '../../support/processes/free-port';
import { startTestService, type TestService } from '../../support/service/service';
import { oidcEnvironment, startProvider, type TestProvider } from '../console/support/oidc-provider';
import { launchChromium, openPage } from '../../browser/browser';
import { expectFit } from './console-page';

describe('The sign-in by OIDC in a browser', () => {
  let provider: TestProvider;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    const managementPort = await freePort('127.0.0.1');
    provider = await startProvider(managementPort);
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['admins'] });
    provider.visitor = '248289';
    service = await startTestService('sqlite', oidcEnvironment(provider.issuer, managementPort));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await provider.stop();
    await service.stop();
  });

  it.each([380, 1280])('is offered first on a page that fits %d pixels', async (width) => {
    const { page } = await openPage(browser, { viewport: { width, height: 800 } });
    await page.goto(`${service.managementUrl}/admin/sign-in`);
    await expectFit(page, `sign-in-oidc-${width}`);
    await page.getByText('Sign in with an API key').click();
    await expectFit(page, `sign-in-oidc-key-${width}`);
    await page.context().close();
  });

  it('leads to the requested page, names the person, and signs out at the provider', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${service.managementUrl}/admin/sessions`);
    await page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` }).click();
    await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
    await expectFit(page, 'sessions-oidc');
    expect(await page.locator('.who-name').textContent()).toBe('Ana Lima');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${provider.issuer}/session/end**`);
    await page.goto(`${service.managementUrl}/admin/sessions`);
    await page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` }).waitFor();
    await page.context().close();
  });
});
