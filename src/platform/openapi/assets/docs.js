/* global SwaggerUIBundle */
import { nameControls, operationPaths } from './docs-access.js';
import { authorizeDialog } from './docs-authorize.js';
import { addCopyButtons } from './docs-copy.js';
import { emptyOptionalParameters, exactResponses } from './docs-exact.js';
import { keyPanel } from './docs-key.js';
import { keptKey } from './docs-kept-key.js';
import { docsLayout } from './docs-layout.js';
import { responsesInReach } from './docs-response.js';
import { codeSamples } from './docs-sample-view.js';

/** Swagger UI has a dark theme, and leaves it to the page when it is shown. */
function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

followColorScheme();
nameControls(document.getElementById('swagger-ui'));
addCopyButtons(document.querySelector('.start'));

SwaggerUIBundle({
  dom_id: '#swagger-ui',
  // Absolute, or else Swagger UI shows no link whose target is relative.
  url: new URL('docs/openapi.json', document.baseURI).href,
  plugins: [
    docsLayout,
    operationPaths,
    authorizeDialog,
    keyPanel,
    keptKey,
    codeSamples,
    exactResponses,
    responsesInReach,
    emptyOptionalParameters,
  ],
  layout: 'DocsLayout',
  deepLinking: true,
  // Schemas are folded: the operations come first.
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  syntaxHighlight: { activated: true, theme: 'tomorrow-night' },
  tryItOutEnabled: true,
  // Otherwise the document is sent to a validator on the internet.
  validatorUrl: null,
});
