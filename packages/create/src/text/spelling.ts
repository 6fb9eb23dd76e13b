import ts from 'typescript';

/** A name in all forms that code and texts need. */
export interface Spelling {
  /** `status-change` */
  readonly kebab: string;
  /** `status_change` */
  readonly snake: string;
  /** `statusChange` */
  readonly camel: string;
  /** `StatusChange` */
  readonly pascal: string;
  /** `status change` */
  readonly words: string;
}

/** A text with its first letter in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The forms of a name made of these words, each in lower case. */
export function spell(words: readonly string[]): Spelling {
  const pascal = words.map(capitalized).join('');
  return {
    kebab: words.join('-'),
    snake: words.join('_'),
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    words: words.join(' '),
  };
}

/** The words of a name in kebab, snake, camel or Pascal case, in lower case: `HTTPLogEntry` has `http`, `log`, `entry`. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/);
}

const VOWEL_SOUND = /^(?:[aeio]|u|hour|honou?r|honest|heir)/;
const CONSONANT_SOUND = /^(?:one|once|eu|ewe|u(?:ni(?!n)|se|sa|su|ti|te|ra|ri|bi|k$|rl$|k |rl ))/;

/** Words with their article: `an order`, `a unit`. */
export function withArticle(words: string): string {
  return `${VOWEL_SOUND.test(words) && !CONSONANT_SOUND.test(words) ? 'an' : 'a'} ${words}`;
}

/** Words that cannot name a variable in a module, although the compiler's scanner takes them for identifiers. */
const RESERVED_IN_MODULES: ReadonlySet<string> = new Set(['arguments', 'await', 'eval']);

/** True if TypeScript reserves the word, so that it cannot be the name of a variable. */
export function isReservedWord(word: string): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, word);
  const token = scanner.scan();
  const isReserved =
    token >= ts.SyntaxKind.FirstReservedWord && token <= ts.SyntaxKind.LastFutureReservedWord;
  return isReserved || RESERVED_IN_MODULES.has(word);
}

/** A text as a string literal of TypeScript. */
export function textLiteral(text: string): string {
  const escaped = text.replaceAll(/[\\']/g, '\\$&').replaceAll(/\s+/g, ' ');
  return `'${escaped}'`;
}
