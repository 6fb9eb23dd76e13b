/* global SwaggerUIBundle */
import { nameControls, operationPaths } from './docs-access.js';
import { authorizeDialog } from './docs-authorize.js';
import { addCopyButtons } from './docs-copy.js';
import { exactResponses } from './docs-exact.js';
import { keyPanel } from './docs-key.js';
import { keptKey } from './docs-kept-key.js';
import { docsLayout } from './docs-layout.js';
import { membersInView, parametersInView } from './docs-members.js';
import { operationsNav } from './docs-nav.js';
import { responsesInReach } from './docs-response.js';
import { codeSamples } from './docs-sample-view.js';

/** Without colours of its own the highlighter writes classes, which docs.css colours. */
const codeColours = { rootInjects: { syntaxHighlighting: { styles: { docs: { hljs: {} } } } } };

nameControls(document.getElementById('swagger-ui'));
addCopyButtons(document.querySelector('.start'));
// The link alone scrolls there, and leaves the focus where it is.
document
  .querySelector('.skip')
  .addEventListener('click', () => document.getElementById('operations').focus());

SwaggerUIBundle({
  dom_id: '#swagger-ui',
  // Absolute, or else Swagger UI shows no link whose target is relative.
  url: new URL('docs/openapi.json', document.baseURI).href,
  plugins: [
    docsLayout,
    operationsNav,
    membersInView,
    codeColours,
    operationPaths,
    authorizeDialog,
    keyPanel,
    keptKey,
    codeSamples,
    exactResponses,
    responsesInReach,
    parametersInView,
  ],
  layout: 'DocsLayout',
  deepLinking: true,
  // Each operation shows the members of its bodies, so there is no list of schemas.
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  syntaxHighlight: { activated: true, theme: 'docs' },
  tryItOutEnabled: true,
  // Otherwise the document is sent to a validator on the internet.
  validatorUrl: null,
});
