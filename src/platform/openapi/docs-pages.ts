import { join } from 'node:path';
import { Eta } from 'eta';
import type { Section } from './guide';
import { markdownHtml } from './markdown';

const pages = new Eta({ views: join(__dirname, 'pages'), autoEscape: true, cache: true });

/** The page of Swagger UI. Addresses are relative, so that it works under a prefix a proxy takes away. */
export function browserPage(title: string): string {
  return pages.render('browser', { title });
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
