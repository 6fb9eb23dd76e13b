import { makeFolder } from '../../support/folders';
import { endServiceProcesses, ServiceProcess } from '../../support/processes/service-process';

afterEach(endServiceProcesses);

describe('The first start', () => {
  it('prints the address of the console below that of the docs, where the key signs in', async () => {
    const { stdout, url, managementUrl, printedKey } = await ServiceProcess.start({}, { cwd: makeFolder() });
    const [, below = ''] = stdout.split(`Swagger UI: ${url}/docs\n`);
    expect(below).toContain(`\n\nConsole: ${managementUrl}/admin\n  Sign in with the key.\n\nAdd a pet:`);
    const page = await fetch(`${managementUrl}/admin`);
    expect(page.headers.get('content-type')).toContain('text/html');
    const signedIn = await fetch(`${managementUrl}/admin/sign-in`, {
      method: 'POST',
      headers: { origin: managementUrl },
      body: new URLSearchParams({ key: printedKey as string }),
      redirect: 'manual',
    });
    expect(signedIn.status).toBe(303);
  });
});
