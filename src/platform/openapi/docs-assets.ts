import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accentStyle, presentation } from '../config/presentation';

const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';

const own = (name: string) => join(__dirname, 'assets', name);
const swaggerUi = (name: string) => require.resolve(`swagger-ui-dist/${name}`);

/** Scripts of the page of Swagger UI, which loads the first; that one imports the others. */
const OWN_SCRIPTS = [
  'docs.js',
  'docs-access.js',
  'docs-authorize.js',
  'docs-copy.js',
  'docs-exact.js',
  'docs-guide.js',
  'docs-kept-key.js',
  'docs-key.js',
  'docs-layout.js',
  'docs-members.js',
  'docs-nav.js',
  'docs-response.js',
  'docs-sample-view.js',
  'docs-samples.js',
];

/** File of the docs that is served unchanged. */
export interface Asset {
  readonly type: string;
  readonly read: () => Buffer | string;
  /** Returns the content as the build has compressed it by Brotli, if it has. */
  readonly readBrotli?: () => Buffer | undefined;
}

const asset = (type: string, path: () => string): Asset => ({ type, read: () => readFileSync(path()) });

/** Files by name. No other file of a package or a folder can be requested. */
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['docs.css', asset(CSS, () => own('docs.css'))],
  ...OWN_SCRIPTS.map((name) => [name, asset(JS, () => own(name))] as const),
  ['guide.css', asset(CSS, () => own('guide.css'))],
  ['guide.js', asset(JS, () => own('guide.js'))],
  ['page.css', { type: CSS, read: () => readFileSync(own('page.css'), 'utf8') + accentStyle() }],
  ['favicon-32x32.png', asset('image/png', () => swaggerUi('favicon-32x32.png'))],
  [
    'swagger-ui-bundle.js',
    { ...asset(JS, () => swaggerUi('swagger-ui-bundle.js')), readBrotli: readSwaggerUiBrotli },
  ],
]);

/** Reads what `tools/compress.mjs` has written of the installed version; `npm run start:dev` has no such file. */
function readSwaggerUiBrotli(): Buffer | undefined {
  const { version } = require('swagger-ui-dist/package.json') as { version: string };
  const file = own(`swagger-ui-bundle-${version}.js.br`);
  return existsSync(file) ? readFileSync(file) : undefined;
}

const LOGO = 'logo.svg';

/** Returns the files, with the logo of the service if it has one. */
export function docsAssets(): ReadonlyMap<string, Asset> {
  const { logo } = presentation();
  return logo === undefined ? ASSETS : new Map([...ASSETS, [LOGO, asset('image/svg+xml', () => logo)]]);
}

/** Returns the names of the images of a page: a logo is that of the service, and then the icon, too. */
export function docsImages() {
  const { logo } = presentation();
  return logo === undefined ? { icon: 'favicon-32x32.png' } : { icon: LOGO, logo: LOGO };
}
