import { blocksToHtml } from './blocks-html';
import type { Section } from './blocks';
import { html } from './html';

/** The page of Swagger UI. Addresses are relative, so that it works under a prefix a proxy takes away. */
export function browserPage(title: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}: API</title>
        <link rel="icon" type="image/png" href="docs/favicon-32x32.png" />
        <link rel="stylesheet" href="docs/swagger-ui.css" />
        <link rel="stylesheet" href="docs/docs.css" />
      </head>
      <body>
        <div id="swagger-ui"></div>
        <noscript>
          <p class="noscript">
            This page needs JavaScript. Without it, read <a href="docs/guide">the guide</a> and the
            <a href="docs/openapi.json">OpenAPI document</a>.
          </p>
        </noscript>
        <script src="docs/swagger-ui-bundle.js"></script>
        <script src="docs/docs.js"></script>
      </body>
    </html>`.text;
}

/** The page that explains what the operations have in common, and each deprecated one under its operationId. */
export function guidePage(title: string, sections: readonly Section[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: guide</title>
        <link rel="icon" type="image/png" href="favicon-32x32.png" />
        <link rel="stylesheet" href="guide.css" />
      </head>
      <body>
        <header>
          <div>
            <h1>${title}: guide</h1>
            <p>What all operations have in common.</p>
            <ul>
              <li><a href="../docs">Browse and try the operations</a></li>
              <li><a href="openapi.json">OpenAPI document (JSON)</a></li>
              <li><a href="openapi.yaml">OpenAPI document (YAML)</a></li>
            </ul>
          </div>
        </header>
        <div class="columns">
          <nav aria-label="Sections">
            <ul>
              ${sections.map(({ id, title: heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
            </ul>
          </nav>
          <main>
            ${sections.map(
              ({ id, title: heading, brief, more }) =>
                html`<section aria-labelledby="${id}">
                  <h2 id="${id}">${heading}</h2>
                  ${blocksToHtml([...brief, ...more])}
                </section>`,
            )}
          </main>
        </div>
      </body>
    </html>`.text;
}
