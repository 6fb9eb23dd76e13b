/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** Value that a template takes: text is escaped, HTML and lists of it are not. */
export type HtmlValue = string | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template tag that escapes every text put into it, for element content and quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)));
}

function textOf(value: HtmlValue): string {
  if (typeof value === 'string')
    return value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}
