import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { RecordsService } from '../../../src/admin/records/records.service';
import { addToSchema } from '../../support/databases/with-schema';
import {
  CreateMembers1790000000002,
  Member,
  MEMBERS_ADMIN,
  MembersModule,
} from '../../support/members.module';
import { startTestService, type TestService } from '../../support/service/service';
import { withFeatures } from '../../support/service/with-features';
import { launchChromium } from '../../browser/browser';
import { expectFit, openConsolePage, saidOn, WIDTHS } from './console-page';

const NAME = 'A person with a name that is unusually long, though not unheard of';

let service: TestService;
let browser: Browser;
let takeBack: () => void;

beforeAll(async () => {
  takeBack = addToSchema({ entities: [Member], migrations: [CreateMembers1790000000002] });
  service = await withFeatures({ MembersModule }, () => startTestService('sqlite'));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  takeBack();
});

it.each(WIDTHS)(
  'An operator finds, downloads and erases what is held of a person at %i px',
  async (width) => {
    const records = service.app.get(RecordsService, { strict: false });
    const { id } = await records.create(MEMBERS_ADMIN, { name: NAME, email: 'jo@example.com', points: 3 });
    const options = { viewport: { width, height: width === 380 ? 800 : 1080 } };
    const { page, complaints } = await openConsolePage(browser, service, service.key, options);
    const look = (name: string) => expectFit(page, `erase-${name}-${width}`);
    await page.goto(`${service.managementUrl}/admin/audit`);
    await page.getByRole('link', { name: 'Erase a person' }).click();
    await look('form');
    await page.getByLabel('Subject').fill(`members/${id}`);
    await page.getByRole('button', { name: 'Show all data' }).click();
    await saidOn(page, 'staying').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download all as JSON' }).click();
    const file = await (await downloading).path();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ record: { name: NAME } });
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByRole('alert').waitFor();
    await look('refused');
    await records.remove(MEMBERS_ADMIN, id);
    await page.goto(`${service.managementUrl}/admin/records/members/${id}`);
    await page.getByRole('link', { name: 'All data about this member' }).click();
    await look('held');
    await page.getByLabel('Reason').fill('letter 2026-114');
    await page.getByLabel(`Type members/${id} to confirm`).fill(`members/${id}`);
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `members/${id}` })
      .waitFor();
    await page.locator('#remaining').waitFor();
    await look('done');
    await page.getByRole('link', { name: 'The erasure in the audit log' }).click();
    await page.getByText('letter 2026-114').waitFor();
    // Chromium tells of the refused form.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    await page.context().close();
  },
);
