import { DEPRECATION_PAGE as GUIDE } from '../deprecation/deprecations';
import { blocksToMarkdown } from './blocks-markdown';
import type { Section } from './blocks';

/** The introduction of the served document, in Markdown: the guide's sections in brief, each with a link to the whole. */
export function serviceDescription(sections: readonly Section[]): string {
  const introduction = [
    'The petstore service, over HTTP and JSON.',
    `This introduction is the short form. [The guide](${GUIDE}) has examples and the rest.`,
  ].join(' ');
  return [
    introduction,
    ...sections
      .filter(({ brief }) => brief.length > 0)
      .map(
        ({ id, title, brief }) =>
          `## ${title}\n\n${blocksToMarkdown([...brief, `[More on this](${GUIDE}#${id})`])}`,
      ),
  ].join('\n\n');
}
