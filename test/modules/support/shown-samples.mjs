// Prints the code that Swagger UI of the folder it is in shows of the operations of a collection: its address, and its path.
import { LANGUAGES, sampleRequest } from '../../../src/platform/openapi/assets/docs-samples.js';

const METHODS = new Set(['get', 'post', 'patch', 'delete']);
const [address, collection] = process.argv.slice(2);
const document = await (await fetch(`${address}/docs/openapi.json`)).json();
const paths = Object.keys(document.paths).filter((path) => `${path}/`.startsWith(`${collection}/`));
const shown = paths.flatMap((path) =>
  Object.entries(document.paths[path])
    .filter(([method]) => METHODS.has(method))
    .map(([method, { operationId }]) => {
      const request = sampleRequest(document, path, method, `${address}/v1`, `${address}/docs/client.tgz`);
      return {
        operationId,
        codes: Object.fromEntries(LANGUAGES.map(({ name, write }) => [name, write(request)])),
      };
    }),
);
process.stdout.write(JSON.stringify(shown));
