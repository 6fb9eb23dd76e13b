import { type ConsoleResponse, textIn, unescaped } from '../../../support/service/console';

type Page = Pick<ConsoleResponse, 'html'>;

/** The outcome of the last action, as a page tells it. Its words stand in `texts.spec.ts` alone. */
interface Notice {
  readonly tone: string;
  readonly text: string;
  /** Names of its links and buttons. */
  readonly actions: readonly string[];
}

const NOTICE =
  /<div class="callout callout-(\w+)" role="status">\s*<svg[\s\S]*?<div>([\s\S]*?)<\/div>\s*<\/div>/;

/** The notice of a page, if there is any. */
export function noticeIn({ html }: Page): Notice | undefined {
  const [, tone = '', content = ''] = NOTICE.exec(html) ?? [];
  const actions = [...content.matchAll(/<(a|button)\b[^>]*>([^<]*)<\/\1>/g)].map(([, , name = '']) =>
    name.trim(),
  );
  return tone === '' ? undefined : { tone, text: textIn({ html: content }).trim(), actions };
}

/** Codes of the callouts of a page, and of the error that it shows. */
export function codesIn({ html }: Page): string[] {
  return [...html.matchAll(/ data-code="([^"]*)"/g)].map(([, code = '']) => code);
}

/** The text of the callout with a code, or of the error page. @throws Error if the page has none */
export function calloutIn({ html }: Page, code: string): string {
  const found = new RegExp(`<div [^>]*data-code="${code}"[^>]*>([\\s\\S]*?)</div>`).exec(html)?.[1];
  if (found === undefined) throw new Error(`The page has no callout ${code}: ${textIn({ html })}`);
  return textIn({ html: found }).trim();
}

/** Sentences about the faults of a form by field, as the summary above the form lists them; that of the form has no name. */
export function faultsIn({ html }: Page): Record<string, string> {
  const [summary = ''] = /<div class="callout callout-danger error-summary"[\s\S]*?<\/ul>/.exec(html) ?? [];
  const items = [...summary.matchAll(/<li>(?:<a href="#field-([^"]*)">)?([^<]*)</g)];
  return Object.fromEntries(items.map(([, name = '', text = '']) => [name, unescaped(text)]));
}

/** Where the empty state of a page leads to: addresses by the name of their link; undefined if the page is not empty. */
export function emptyIn({ html }: Page): Record<string, string> | undefined {
  const [state] = /<div class="empty">[\s\S]*?<\/div>/.exec(html) ?? [];
  if (state === undefined) return undefined;
  const links = [...state.matchAll(/href="([^"]*)">([^<]*)</g)];
  return Object.fromEntries(links.map(([, path = '', name = '']) => [name, unescaped(path)]));
}

/** Names of the buttons of a page. */
export function buttonsIn({ html }: Page): string[] {
  return [...html.matchAll(/<button\b[^>]*>([\s\S]*?)<\/button>/g)].map(([, name = '']) =>
    textIn({ html: name }).trim(),
  );
}

/** The facts that a page lists, by their labels. */
export function factsIn({ html }: Page): Record<string, string> {
  const found = html.matchAll(/<dt>([^<]*)<\/dt><dd>([\s\S]*?)<\/dd>/g);
  return Object.fromEntries(
    [...found].map(([, label = '', value = '']) => [label, textIn({ html: value }).trim()]),
  );
}

const CHANGE =
  /<span class="muted">([^<]*):<\/span> <span>([\s\S]*?)<\/span> <span class="arrow"[\s\S]*?<span class="visually-hidden">[^<]*<\/span> <span>([\s\S]*)<\/span>$/;

/** The history of a record: what was done, by whom, and the fields with their former and new values. */
export function historyIn({ html }: Page): [title: string, actor: string, changes: string[][]][] {
  const [, list = ''] = /<ol class="history">([\s\S]*?)<\/ol>/.exec(html) ?? [];
  return list
    .split('<a class="history-title"')
    .slice(1)
    .map((entry) => {
      const [, title = ''] = /^[^>]*>([^<]*)</.exec(entry) ?? [];
      const [, actor = ''] = /<code>([^<]*)</.exec(entry) ?? [];
      const [, changes = ''] = /<ul class="changes">([\s\S]*?)<\/ul>/.exec(entry) ?? [];
      const items = [...changes.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, item = '']) => item);
      return [
        title,
        actor,
        items.flatMap((item) => {
          const [, ...change] = CHANGE.exec(item) ?? [];
          return change.length > 0 ? [change.map(seenIn)] : [];
        }),
      ];
    });
}

/** The text of a part of a page, without what screen readers alone say. */
function seenIn(html: string): string {
  return textIn({ html: html.replaceAll(/<span class="visually-hidden">[^<]*<\/span>/g, '') }).trim();
}
