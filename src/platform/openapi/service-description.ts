import { DEPRECATION_PAGE as GUIDE } from '../deprecation/deprecations';
import type { Section } from './guide';

/** The introduction of the served document, in Markdown: the guide's sections in brief, each with a link to the whole. */
export function serviceDescription(sections: readonly Section[]): string {
  const introduction = [
    'The petstore service, over HTTP and JSON.',
    `This introduction is the short form. [The guide](${GUIDE}) has examples and the rest.`,
  ].join(' ');
  return [
    introduction,
    ...sections
      .filter(({ brief }) => brief !== '')
      .map(({ id, title, brief }) => `## ${title}\n\n${brief}\n\n[More on this](${GUIDE}#${id})`),
  ].join('\n\n');
}
