import { readFileSync } from 'node:fs';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';

/** Bytes of Swagger UI 5 as Brotli compresses it while a reader waits; as the build does, it has 350,000. */
const QUICKLY_COMPRESSED = 380_000;

afterEach(endServiceProcesses);

it('A built service sends Swagger UI as the build has compressed it, the installed one to the byte', async () => {
  const service = await ServiceProcess.start({}, { cwd: makeFolder() });
  const url = `http://127.0.0.1:${service.port}/docs`;
  const page = await (await fetch(url)).text();
  const [name = ''] = /docs\/files\/\w+\/swagger-ui-bundle\.js/.exec(page) ?? [];
  const response = await fetch(new URL(name, url), { headers: { 'accept-encoding': 'br' } });
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(Number(response.headers.get('content-length'))).toBeLessThan(QUICKLY_COMPRESSED);
  const installed = readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'));
  expect(installed.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
});
