import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Html } from '../../../platform/html/html';
import { markdownHtml } from '../../../platform/html/markdown';

/** The page of the documentation that has the questions; the build copies it beside the compiled code. */
const SOURCE = join(__dirname, '..', '..', '..', '..', 'docs', 'how-do-i.md');

/** A question with its answer. */
export interface Answer {
  /** Anchor on the page: `get-a-first-key`. */
  readonly id: string;
  /** The question without its beginning: `Get a first key?` */
  readonly title: string;
  /** The whole question: `How do I get a first key?` */
  readonly question: string;
  /** The words of the answer, commands included, in small letters. */
  readonly text: string;
  readonly html: Html;
}

/** Questions about one topic. */
export interface Topic {
  readonly title: string;
  readonly answers: readonly Answer[];
}

/** Questions that operators have, with their answers. */
@Injectable()
export class Answers {
  private read: { readonly lead: Html; readonly topics: readonly Topic[] } | undefined;

  /** The sentence above all questions. */
  get lead(): Html {
    return this.page.lead;
  }

  get topics(): readonly Topic[] {
    return this.page.topics;
  }

  /** Read when it is first asked for: most processes never are, and to render it takes a twentieth of a start. */
  private get page() {
    return (this.read ??= readPage());
  }

  /** Finds questions that have every word of a text, in any order, and then those whose answers have them. */
  find(text: string): Answer[] {
    const words = text
      .toLowerCase()
      .split(/[\s?]+/)
      .filter(Boolean);
    if (!words.some((word) => word.length > 2)) return [];
    const all = this.topics.flatMap(({ answers }) => answers);
    const asked = all.filter(({ question }) => words.every((word) => question.toLowerCase().includes(word)));
    // Answers have names, ids and numbers as examples: a word of them has to be a word.
    if (!words.every((word) => /^[a-z-]{4,}$/.test(word))) return asked;
    const told = all.filter(({ text: said }) => words.every((word) => beginsWord(said, word)));
    return [...new Set([...asked, ...told])];
  }
}

function readPage() {
  const [head = '', ...topics] = withoutLinks(readFileSync(SOURCE, 'utf8')).split(/^## /m);
  return {
    lead: new Html(markdownHtml(head.replace(/^# .*\n/, ''))),
    topics: topics.map((text) => {
      const [title = '', ...answers] = text.split(/^### /m);
      return { title: title.trim(), answers: answers.map(answerOf) };
    }),
  };
}

function answerOf(text: string): Answer {
  const [title = ''] = text.split('\n', 1);
  return {
    id:
      title
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join('-') ?? '',
    title,
    question: `How do I ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    text: text.toLowerCase(),
    html: new Html(markdownHtml(text.slice(title.length))),
  };
}

function beginsWord(text: string, word: string): boolean {
  return new RegExp(`(?<![a-z-])${word}`).test(text);
}

/** Names the file that a link leads to: the console does not serve the other pages. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(
    /\[([^\]]+)\]\(([^)#]+)[^)]*\)/g,
    (_link, text: string, path: string) => `${text} (\`${posix.join('docs', path)}\`)`,
  );
}
