import type { ConsoleForm } from './console-form';

/** A page above the present one, as a link on the way down to it. */
export interface Crumb {
  readonly title: string;
  readonly path: string;
}

/** The parts of a page. */
export interface PageContent {
  /** The heading and, with the name of the service, the title of the page. */
  readonly title: string;
  /** The pages above it; unset on the pages of the navigation. */
  readonly trail?: readonly Crumb[];
  /** HTTP status; that of the form if there is one, otherwise 200. */
  readonly status?: number;
  /** The form on it, which the template finds as `it.form`. */
  readonly form?: ConsoleForm<object>;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Members that the template finds in `it`, besides those of every page. */
  readonly data?: object;
}

/** A page, as a handler of the console returns it. */
export class ConsolePage {
  constructor(
    readonly template: string,
    readonly content: PageContent,
  ) {}
}

/**
 * Creates a page.
 *
 * @param template path of its file with the extension, `join(__dirname, 'dispatch.eta')`; a template of the console itself is
 * named by its path below `src/admin/console`, without: `/keys/list`
 */
export function page(template: string, content: PageContent): ConsolePage {
  return new ConsolePage(template, content);
}

/** The outcome of the last request, for the next page to show. */
export interface Notice {
  readonly tone: 'success' | 'warning' | 'danger';
  readonly text: string;
  /** Address to which a form is sent to undo the change. */
  readonly undo?: string | undefined;
  /** Address to which a form is sent to make a change again that was undone. */
  readonly redo?: string | undefined;
  /** The page about the change. */
  readonly view?: string | undefined;
}

/** A redirect to a page by GET, as a handler of the console returns it. */
export class SeeOther {
  constructor(
    readonly path: string,
    readonly notice: Notice | undefined,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/**
 * Creates the response to a form that was carried out: a reload of the next page does not send it again.
 *
 * @param notice shown on the next page: a text for success, or with a tone
 */
export function seeOther(
  path: string,
  { notice, headers = {} }: { notice?: string | Notice; headers?: Readonly<Record<string, string>> } = {},
): SeeOther {
  return new SeeOther(path, typeof notice === 'string' ? { tone: 'success', text: notice } : notice, headers);
}
