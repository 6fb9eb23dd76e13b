import { Injectable } from '@nestjs/common';
import type { IconName } from '../ui/icons';
import type { ConsoleRequest } from '../http/console-request';

/** A page that the navigation leads to. */
export interface NavigationEntry {
  readonly title: string;
  /** Path of the page, such as `/admin/keys`; pages below it belong to the same entry. */
  readonly path: string;
  readonly icon: IconName;
  /**
   * Sort key of the entries: 0 overview, 10 records, 15 pages of modules, 20 keys, 25 requests, 30 audit, 40 reports, 50 system, 60 help. Entries with the
   * same key stand in the order in which they were added.
   */
  readonly order: number;
  /** Scopes that an operator needs to see the entry; every operator who is signed in sees one without. */
  readonly scopes?: readonly string[];
  /** The things that the page is about, if each has a page below it under its id. */
  readonly subject?: NavigationSubject;
}

/** Things that audit events are about and that have pages. */
export interface NavigationSubject {
  /** Subject type in audit events. */
  readonly type: string;
  /** Finds the ids that exist: an event can be about something that is gone, or about many things at once. */
  readonly existing: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** The subject of an audit event. */
export interface AuditSubject {
  readonly subjectType: string;
  readonly subjectId: string;
}

/** A navigation entry, as the page of one request shows it. */
export interface NavigationLink extends NavigationEntry {
  readonly isCurrent: boolean;
}

/** The pages that the console leads to. Modules of pages add theirs when they are created. */
@Injectable()
export class ConsoleNavigation {
  private readonly entries: NavigationEntry[] = [];

  add(entry: NavigationEntry): void {
    this.entries.push(entry);
    this.entries.sort((a, b) => a.order - b.order);
  }

  /** Finds the pages of the subjects of audit events, if they exist and the operator may see them. */
  async pagesOf<Event extends AuditSubject>(
    events: readonly Event[],
    request: ConsoleRequest,
  ): Promise<ReadonlyMap<Event, string>> {
    const pages = new Map<Event, string>();
    for (const { path, subject } of this.linksFor(request)) {
      const about = events.filter(({ subjectType }) => subjectType === subject?.type);
      if (!subject || about.length === 0) continue;
      const existing = await subject.existing(about.map(({ subjectId }) => subjectId));
      for (const event of about) {
        const { subjectId: id } = event;
        if (existing.has(id)) pages.set(event, `${path}/${encodeURIComponent(id)}`);
      }
    }
    return pages;
  }

  /** The entries that the operator may follow. */
  linksFor(request: ConsoleRequest): NavigationLink[] {
    return this.entries
      .filter(({ scopes = [] }) => scopes.every((scope) => request.can(scope)))
      .map((entry) => ({ ...entry, isCurrent: isWithin(request.path, entry.path) }));
  }
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
