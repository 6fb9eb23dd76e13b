import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Eta } from 'eta';
import type { Section } from './guide';
import { markdownHtml } from './markdown';

const pages = new Eta({ views: join(__dirname, 'pages'), autoEscape: true, cache: true });

type InfoObject = OpenAPIObject['info'];

/** The page of Swagger UI. Addresses are relative, so that it works under a prefix a proxy takes away. */
export function browserPage({ title, version }: InfoObject): string {
  return pages.render('browser', { title, version });
}

/** The page that explains what the operations have in common, and each deprecated one under its operationId. */
export function guidePage(title: string, sections: readonly Section[]): string {
  return pages.render('guide', {
    title,
    sections: sections.map((section) => ({
      ...section,
      html: markdownHtml(`${section.brief}\n\n${section.more}`),
    })),
  });
}

/** The guide as one file of Markdown. */
export function guideMarkdown(title: string, sections: readonly Section[]): string {
  const texts = sections.map(
    ({ title: heading, brief, more }) => `## ${heading}\n\n${withoutHtml(`${brief}\n\n${more}`).trim()}`,
  );
  return [`# ${title}: guide`, ...texts].join('\n\n') + '\n';
}

/** What a program that reads text should know, and where it finds the rest (https://llmstxt.org). */
export function llmsText({ info, paths }: OpenAPIObject, sections: readonly Section[]): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { operationId?: string; summary?: string; deprecated?: boolean }>)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(
        ([method, { operationId, summary, deprecated }]) =>
          `- \`${operationId}\`: \`${method.toUpperCase()} ${path}\`. ${summary ?? ''}${deprecated ? ' (deprecated)' : ''}`,
      ),
  );
  return [
    `# ${info.title} ${info.version}`,
    '> An HTTP interface with JSON bodies. Every request carries an API key as `Authorization: Bearer <API key>`. Integers of format `int64` must be read exactly, not as doubles.',
    '## Documents',
    [
      '- [OpenAPI 3.0](/docs/openapi.json): every operation, parameter, schema and error',
      '- [OpenAPI 3.1](/docs/openapi-3.1.json): the same, with the scopes that each operation needs',
      '- [Guide](/docs/guide.md): what all operations have in common',
    ].join('\n'),
    '## Operations',
    operations.join('\n'),
    '## Guide',
    sections.map(({ id, title }) => `- [${title}](/docs/guide#${id})`).join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** HTML folds long tables in viewers of the document; a file of text shows them whole. */
function withoutHtml(markdown: string): string {
  return markdown.replaceAll(/<details>.*<\/summary>\n+|\n*<\/details>/g, '');
}
