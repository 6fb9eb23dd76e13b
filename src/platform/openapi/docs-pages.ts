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
