/** A page before the present one, on the way down to it. */
export interface Crumb {
  readonly title: string;
  readonly path: string;
}

/** What a page consists of. */
export interface PageContent {
  /** Its heading and, with the name of the service, its title. */
  readonly title: string;
  /** The pages above it; none on the pages of the navigation. */
  readonly trail?: readonly Crumb[];
  /** HTTP status, 200 unless set: 422 for a form that is shown again with its faults. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** What the template finds in `it`, besides what every page has. */
  readonly data?: object;
}

/** What a handler of the console returns to show a page. */
export class Page {
  constructor(
    readonly template: string,
    readonly content: PageContent,
  ) {}
}

/** @param template its path below `src/admin/console` without extension: `/keys/list` */
export function page(template: string, content: PageContent): Page {
  return new Page(template, content);
}

/** What the next page shows of the last request. */
export interface Notice {
  readonly tone: 'success' | 'warning' | 'danger';
  readonly text: string;
  /** Where a form without fields is sent to undo what was done. */
  readonly undo?: string | undefined;
}

/** What a handler of the console returns to send the browser to a page by GET. */
export class SeeOther {
  constructor(
    readonly path: string,
    readonly notice: Notice | undefined,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/**
 * The response to a form that was carried out: a reload of the page that follows does not send it again.
 *
 * @param notice what that page shows of it: a text for success, or with a tone
 */
export function seeOther(
  path: string,
  { notice, headers = {} }: { notice?: string | Notice; headers?: Readonly<Record<string, string>> } = {},
): SeeOther {
  return new SeeOther(path, typeof notice === 'string' ? { tone: 'success', text: notice } : notice, headers);
}
