import { Injectable } from '@nestjs/common';
import type { IconName } from './ui/icons';
import type { Visit } from './visit';

/** A page the navigation leads to. */
export interface NavigationEntry {
  readonly title: string;
  /** `/admin/keys`; pages below it belong to the same entry. */
  readonly path: string;
  readonly icon: IconName;
  /** Entries are sorted by it: 0 overview, 10 to 19 records, 20 keys, 30 audit, 40 reports, 50 system. */
  readonly order: number;
  /** Unset: everybody sees it who is signed in. */
  readonly scope?: string;
  /** What audit events call the things it is about, when each has a page below it under its id. */
  readonly subject?: string;
}

/** An entry as one visit shows it. */
export interface NavigationLink extends NavigationEntry {
  readonly isCurrent: boolean;
}

/** What the console leads to. The modules of pages add theirs when they are made. */
@Injectable()
export class ConsoleNavigation {
  private readonly entries: NavigationEntry[] = [];

  add(entry: NavigationEntry): void {
    this.entries.push(entry);
    this.entries.sort((a, b) => a.order - b.order || a.title.localeCompare(b.title));
  }

  /** The page about what an audit event is about; undefined when there is none for whoever looks. */
  pathOf(
    { subjectType, subjectId }: { subjectType: string; subjectId: string },
    visit: Visit,
  ): string | undefined {
    const entry = this.linksFor(visit).find(({ subject }) => subject === subjectType);
    return entry && `${entry.path}/${encodeURIComponent(subjectId)}`;
  }

  /** The entries somebody may follow. */
  linksFor(visit: Visit): NavigationLink[] {
    return this.entries
      .filter(({ scope }) => scope === undefined || visit.can(scope))
      .map((entry) => ({ ...entry, isCurrent: isWithin(visit.path, entry.path) }));
  }
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
