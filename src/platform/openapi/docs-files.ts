import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Eta } from 'eta';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { ServiceAddress } from '../values/service-address';
import { ApiDocument, EXAMPLE_ROOT } from './api-document';
import { CLIENT_PACKAGE, CLIENT_PACKAGES } from './client-packages';
import { type Asset, docsAssets, docsImages } from './docs-assets';
import { ARCHIVE, DocsFile } from './docs-file';
import { docsPolicy } from './docs-policy';
import { QUICK_START_ANCHOR, type GuideSection } from './guide';
import { basePath, listedOperations } from './listed-operations';
import { html } from '../html/html';
import { markdownHtml } from '../html/markdown';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

const pages = new Eta({ views: join(__dirname, 'pages'), autoEscape: true, cache: true });

/** Pages that are kept for the addresses that readers called last. Whoever calls by ever new names fills no more than that. */
const MOST_ADDRESSED = 24;

/** All files of the docs. Each is rendered or read at the first request for it, and kept. */
@Injectable()
export class DocsFiles {
  /** The Content-Security-Policy of these files. */
  readonly policy: string;
  private readonly kept = new Map<string, DocsFile>();
  private readonly texts = new Map<string, string>();
  private readonly addressed = new LRUCache<string, DocsFile>({ max: MOST_ADDRESSED });
  private hash: string | undefined;

  constructor(
    private readonly api: ApiDocument,
    private readonly address: ServiceAddress,
    @InjectSettings() { publicBaseUrl, productionBaseUrl, stagingBaseUrl }: Settings,
  ) {
    const services = [publicBaseUrl, productionBaseUrl, stagingBaseUrl];
    this.policy = docsPolicy(services.filter((service) => service !== undefined));
  }

  /** @param root of the addresses in the samples; undefined if they must not name what the reader has called */
  browser(root: string | undefined): DocsFile {
    return this.forReader(root, 'browser', HTML, () =>
      browserPage(this.api.document, this.api.sections, this.version),
    );
  }

  /** @param root as for {@link browser} */
  guide(root: string | undefined): DocsFile {
    return this.forReader(root, 'guide', HTML, () =>
      guidePage(this.api.document.info.title, this.api.sections, this.version),
    );
  }

  /**
   * Returns the guide as Markdown.
   *
   * @param root as for {@link browser}
   */
  guideText(root: string | undefined): DocsFile {
    return this.forReader(root, 'guide.md', MARKDOWN, () =>
      guideMarkdown(this.api.document.info.title, this.api.sections),
    );
  }

  /** Entry file for programs that read text. */
  get llms(): DocsFile {
    return this.keep(
      'llms.txt',
      () =>
        new DocsFile(
          'text/plain; charset=utf-8',
          llmsText(this.api.document, this.api.sections, this.address),
        ),
    );
  }

  get json(): DocsFile {
    return this.keep('json', () => new DocsFile(JSON_TYPE, JSON.stringify(this.api.document, null, 2)));
  }

  /** The same document in OpenAPI 3.1. */
  get json31(): DocsFile {
    return this.keep('json31', () => new DocsFile(JSON_TYPE, JSON.stringify(this.api.document31, null, 2)));
  }

  /** The same document in YAML (media type of RFC 9512). */
  get yaml(): DocsFile {
    return this.keep('yaml', () => {
      // Loaded here: the package has 70 modules, and most processes are never asked for this file.
      const { stringify } = require('yaml') as typeof import('yaml');
      const text = stringify(this.api.document, { aliasDuplicateObjects: false, lineWidth: 0 });
      return new DocsFile('application/yaml', text);
    });
  }

  /** A hash over the files served unchanged: it is a part of their addresses, so that a browser may keep them for ever. */
  get version(): string {
    this.hash ??= this.hashOfAssets();
    return this.hash;
  }

  /** Returns one of the files served unchanged, if there is one of that name. */
  asset(name: string): DocsFile | undefined {
    const asset = docsAssets().get(name);
    return asset && this.keep(`asset ${name}`, () => assetFile(asset));
  }

  /** Returns a released package of the TypeScript client, if there is one of that name. */
  clientPackage(name: string): DocsFile | undefined {
    const path = CLIENT_PACKAGES.get(name);
    return path === undefined ? undefined : this.keep(name, () => new DocsFile(ARCHIVE, readFileSync(path)));
  }

  /** The tag of each file is a hash of its contents already, and the files are kept for whoever asks next. */
  private hashOfAssets(): string {
    const tags = [...docsAssets().keys()].map((name) => this.asset(name)?.tag);
    return createHash('sha256').update(tags.join()).digest('hex').slice(0, 16);
  }

  /** A page is rendered once, with the address of the example; to put in another takes little. */
  private forReader(root: string | undefined, name: string, type: string, render: () => string): DocsFile {
    const start = root ?? EXAMPLE_ROOT;
    const key = `${name} ${start}`;
    const kept = this.addressed.get(key);
    if (kept) return kept;
    const text = this.texts.get(name) ?? render();
    this.texts.set(name, text);
    const shown = type === HTML ? html`${start}`.text : start;
    const file = new DocsFile(
      type,
      text.replaceAll(EXAMPLE_ROOT, () => shown),
    );
    this.addressed.set(key, file);
    return file;
  }

  private keep(name: string, make: () => DocsFile): DocsFile {
    const kept = this.kept.get(name) ?? make();
    this.kept.set(name, kept);
    return kept;
  }
}

function assetFile({ type, read, readBrotli }: Asset): DocsFile {
  const br = readBrotli?.();
  return new DocsFile(type, read(), undefined, br && { br });
}

/** Renders the page of Swagger UI. Addresses are relative, so that it works under a prefix that a proxy removes. */
function browserPage(
  { info: { title, version }, paths = {}, servers }: OpenAPIObject,
  sections: readonly GuideSection[],
  digest: string,
): string {
  const start = sections.find(({ id }) => id === QUICK_START_ANCHOR);
  return pages.render('browser', {
    title,
    version,
    files: `docs/files/${digest}`,
    ...docsImages(),
    clientPackage: `docs/${CLIENT_PACKAGE}`,
    base: basePath(servers),
    groups: [...Map.groupBy(listedOperations(paths), ({ tag }) => tag)].map(([tag, operations]) => ({
      tag,
      operations,
    })),
    modules: [...docsAssets().keys()].filter((name) => /^docs-.*\.js$/.test(name)),
    steps: start
      ? sectionHtml(start)
          .split(/(?=<h3)/)
          .map(stepOf)
      : [],
  });
}

/** Returns a step as the content of a `details` element: its heading is the summary. */
function stepOf(step: string): string {
  const end = step.indexOf('</h3>') + '</h3>'.length;
  return `<summary>${step.slice(0, end)}</summary>${step.slice(end)}`;
}

/** Renders the page that explains the common parts of operations, and each deprecated one under its operationId. */
function guidePage(title: string, sections: readonly GuideSection[], digest: string): string {
  return pages.render('guide', {
    title,
    files: `files/${digest}`,
    ...docsImages(),
    sections: sections.map((section) => ({ ...section, html: sectionHtml(section) })),
  });
}

function sectionHtml({ brief, more }: GuideSection): string {
  return markdownHtml(`${brief}\n\n${more}`);
}

/** Writes the guide as one file of Markdown. */
function guideMarkdown(title: string, sections: readonly GuideSection[]): string {
  const texts = sections.map(
    ({ title: heading, brief, more }) => `## ${heading}\n\n${withoutHtml(`${brief}\n\n${more}`).trim()}`,
  );
  return [`# ${title}: guide`, ...texts].join('\n\n') + '\n';
}

/** Writes the facts that a program that reads text should know, and the addresses of the rest (https://llmstxt.org). */
function llmsText(
  { info, paths }: OpenAPIObject,
  sections: readonly GuideSection[],
  address: ServiceAddress,
): string {
  const operations = listedOperations(paths).map(
    ({ id, method, path, summary, isDeprecated }) =>
      `- \`${id}\`: \`${method.toUpperCase()} ${path}\`. ${summary}${isDeprecated ? ' (deprecated)' : ''}`,
  );
  return [
    `# ${info.title} ${info.version}`,
    '> An HTTP interface with JSON bodies. Every request carries an API key as `Authorization: Bearer <API key>`. Integers of format `int64` must be read exactly, not as doubles.',
    '## Documents',
    [
      `- [OpenAPI 3.0](${address.docs}/openapi.json): every operation, parameter, schema and error`,
      `- [OpenAPI 3.1](${address.docs}/openapi-3.1.json): the same, with the scopes that each operation needs`,
      `- [Guide](${address.docs}/guide.md): what all operations have in common`,
    ].join('\n'),
    '## Operations',
    operations.join('\n'),
    '## Guide',
    sections.map(({ id, title }) => `- [${title}](${address.guide(id)})`).join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Removes the HTML that folds long tables in viewers of the document; a file of text shows them whole. */
function withoutHtml(markdown: string): string {
  return markdown.replaceAll(/<details>.*<\/summary>\n+|\n*<\/details>/g, '');
}
