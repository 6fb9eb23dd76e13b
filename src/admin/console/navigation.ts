import { Injectable } from '@nestjs/common';
import type { IconName } from './ui/icons';
import type { ConsoleRequest } from './console-request';

/** A page the navigation leads to. */
export interface NavigationEntry {
  readonly title: string;
  /** `/admin/keys`; pages below it belong to the same entry. */
  readonly path: string;
  readonly icon: IconName;
  /**
   * Entries are sorted by it: 0 overview, 10 records, 20 keys, 25 requests, 30 audit, 40 reports, 50 system. Those with the same one stand
   * in the order in which they were added.
   */
  readonly order: number;
  /** Unset: every operator who is signed in sees it. */
  readonly scope?: string;
  /** The things it is about, when each has a page below it under its id. */
  readonly subject?: NavigationSubject;
}

/** Things that audit events are about and that have pages. */
export interface NavigationSubject {
  /** What audit events call them. */
  readonly type: string;
  /** Which of some ids are there: an event can be about something that is gone, or about many things at once. */
  readonly existing: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** What an audit event is about. */
export interface AuditSubject {
  readonly subjectType: string;
  readonly subjectId: string;
}

/** An entry as the page of one request shows it. */
export interface NavigationLink extends NavigationEntry {
  readonly isCurrent: boolean;
}

/** What the console leads to. The modules of pages add theirs when they are made. */
@Injectable()
export class ConsoleNavigation {
  private readonly entries: NavigationEntry[] = [];

  add(entry: NavigationEntry): void {
    this.entries.push(entry);
    this.entries.sort((a, b) => a.order - b.order);
  }

  /** The pages about what audit events are about, as far as they are there and the operator may see them. */
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

  /** The entries the person may follow. */
  linksFor(request: ConsoleRequest): NavigationLink[] {
    return this.entries
      .filter(({ scope }) => scope === undefined || request.can(scope))
      .map((entry) => ({ ...entry, isCurrent: isWithin(request.path, entry.path) }));
  }
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
