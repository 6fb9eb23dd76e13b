import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { adminScopes } from '../../src/auth/auth.scopes';
import * as features from '../../src/features';
import { recordsOf, scopesOf } from '../../src/platform/features/feature-modules';

const PROJECT = join(__dirname, '..', '..');

const pages = globSync(
  ['*.md', '{docs,deploy}/**/*.md', 'packages/*/*.md', 'src/platform/openapi/guide/*.md'],
  {
    cwd: PROJECT,
  },
).sort();
const texts = pages.map((page) => ({ page, text: readFileSync(join(PROJECT, page), 'utf8') }));

/** Features that the pages for teams make as examples. */
const EXAMPLES: ReadonlySet<string> = new Set([
  ...['categories', 'coupons', 'notes', 'orders'],
  ...['receipts', 'status-changes', 'suppliers', 'tags', 'visits'],
]);

const SCOPES: ReadonlySet<string> = new Set([...scopesOf(features), ...adminScopes(recordsOf(features))]);

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
}

describe('What the pages name', () => {
  it('are scopes that exist, or those of an example', () => {
    const named = texts.flatMap(({ page, text }) =>
      [...text.matchAll(/\b(?:admin:[a-z-]+|[a-z-]+:(?:read|write))\b/g)].map(([scope]) => ({ page, scope })),
    );
    expect(named.length).toBeGreaterThan(30);
    const isOfExample = (scope: string) => scope.split(':').some((part) => EXAMPLES.has(part));
    expect(named.filter(({ scope }) => !SCOPES.has(scope) && !isOfExample(scope))).toEqual([]);
  });

  it('are files that exist, by links', () => {
    const named = texts
      .filter(({ page }) => !page.startsWith('src/'))
      .flatMap(({ page, text }) =>
        [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, path = '']) => join(dirname(page), path)),
      );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  it('are tests that exist: those that hold the faults found in ourselves', () => {
    const { text = '' } = texts.find(({ page }) => page === 'docs/found-in-ourselves.md') ?? {};
    const tests = [...text.matchAll(/`((?:src|test|packages)\/[^`]+\.ts)`/g)].map(([, path = '']) => path);
    expect(tests.length).toBeGreaterThan(9);
    expect(tests.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  it('are query parameters that the operation has', () => {
    const { paths } = JSON.parse(readFileSync(join(PROJECT, 'docs', 'openapi.json'), 'utf8')) as Document;
    const named = texts.flatMap(({ page, text }) =>
      [...text.matchAll(/\/v1(\/[a-z-]+)\?([\w.=&:;,%-]+)/g)].map(([, path = '', query = '']) => ({
        page,
        path,
        names: [...new URLSearchParams(query).keys()],
      })),
    );
    const ofService = named.filter(({ path }) => !EXAMPLES.has(path.slice(1)));
    expect(ofService.length).toBeGreaterThan(0);
    for (const { page, path, names } of ofService) {
      const known = paths[path]?.get?.parameters?.map(({ name }) => name) ?? [];
      expect({ page, path, unknown: names.filter((name) => !known.includes(name)) }).toEqual({
        page,
        path,
        unknown: [],
      });
    }
  });
});
