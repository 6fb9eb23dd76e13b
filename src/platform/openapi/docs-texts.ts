import type { OpenAPIObject } from '@nestjs/swagger';
import type { Section } from './guide';

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
