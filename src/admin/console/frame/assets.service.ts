import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { accentStyle, presentation } from '../../../platform/config/presentation';

/** A file that browsers load besides pages. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The style sheets, which are served as one: of two rules for the same, the later holds. */
const STYLES = [
  'tokens',
  'elements',
  'components/buttons',
  'components/forms',
  'components/cards',
  'components/tables',
  'components/small-parts',
  'components/figures',
  'components/charts',
  'components/columns',
  'pages/records',
  'pages/find',
  'layout',
];

const own = (name: string) => readFileSync(join(__dirname, 'assets', name));

/** All files by the name that templates use for them. */
const FILES: Readonly<Record<string, () => Buffer>> = {
  'console.css': () =>
    Buffer.concat([
      ...STYLES.map((name) => readFileSync(join(__dirname, 'styles', `${name}.css`))),
      Buffer.from(accentStyle()),
    ]),
  'console.js': () => own('console.js'),
  'picker.js': () => own('picker.js'),
  'favicon.svg': () => {
    const { logo } = presentation();
    return logo === undefined ? own('favicon.svg') : readFileSync(logo);
  },
  'htmx.js': () => readFileSync(require.resolve('htmx.org/dist/htmx.min.js')),
};

/**
 * The files that pages load. Their addresses hold a part of the SHA-256 of their content, so that browsers may keep them for
 * good.
 */
@Injectable()
export class ConsoleAssets {
  private readonly byFile = new Map<string, Asset>();
  private readonly paths = new Map<string, string>();

  constructor() {
    for (const [name, read] of Object.entries(FILES)) {
      const body = read();
      const extension = extname(name);
      const file = `${name.slice(0, -extension.length)}.${hash('sha256', body, 'hex').slice(0, 16)}${extension}`;
      this.byFile.set(file, { type: TYPES[extension] as string, body });
      this.paths.set(name, `/admin/assets/${file}`);
    }
  }

  /** The path at which a file is served. @throws Error if no file has this name: then a template is wrong */
  pathOf(name: string): string {
    const path = this.paths.get(name);
    if (path === undefined) throw new Error(`The console has no file ${name}.`);
    return path;
  }

  /** Finds a file by the last part of its address. */
  find(file: string): Asset | undefined {
    return this.byFile.get(file);
  }
}
