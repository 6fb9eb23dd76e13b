import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An example in the README. */
export interface Snippet {
  /** The line it begins at. */
  readonly line: number;
  readonly text: string;
  /** Output of its `console.log`s, as the comments behind them say. */
  readonly prints: readonly string[];
}

/** The examples in a language, in their order. */
export function snippetsIn(language: string): Snippet[] {
  const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ({ index, 1: text = '' }) => ({
      line: readme.slice(0, index).split('\n').length + 1,
      text,
      prints: [...text.matchAll(/; \/\/ (.*)$/gm)].map(([, printed = '']) => printed),
    }),
  );
}

/** Examples as programs: an example that makes no client of its own continues with that of the first. */
export function programsOf(snippets: readonly Snippet[]): string[] {
  const [start = ''] = snippets[0]?.text.split(/(?<=^\}\);\n)/m) ?? [];
  return snippets.map(({ text }) => (text.includes('import { PetstoreClient }') ? text : start + text));
}
