import { type Html, html } from '../../../platform/html/html';
import type { ConsoleRequest } from '../http/console-request';

/** A column of a table, with what it takes to be read. */
export interface Column {
  readonly label: string;
  /** Width in pixels in which its values can be read. */
  readonly width: number;
  /** True if it stays however narrow the table is. */
  readonly isKept?: boolean;
}

/** Width by whose multiples columns give way: the style sheet has a class for each. */
const STEP = 100;

/** Least and greatest multiples with a class: narrower tables are shown as blocks, and none is wider. */
const [LEAST, MOST] = [7, 13];

/**
 * Returns the classes by which columns give way on a narrow screen, the last first. The first column stays, and so do those that
 * are kept, for which others give way sooner.
 *
 * @param columns most important first
 */
export function columnClasses(columns: readonly Column[]): string[] {
  const stays = ({ isKept = false }: Column, i: number) => isKept || i === 0;
  let taken = columns.filter(stays).reduce((sum, { width }) => sum + width, 0);
  return columns.map((column, i) => {
    if (stays(column, i)) return '';
    taken += column.width;
    const room = Math.ceil(taken / STEP);
    return room < LEAST ? '' : `room-${Math.min(room, MOST)}`;
  });
}

/** Renders which columns a screen is too narrow for; they are in sight where that is read as blocks. */
export function leftOut(
  columns: readonly { readonly label: string; readonly room: string }[],
): Html | string {
  const giving = columns.filter(({ room }) => room !== '').toReversed();
  const [first] = giving;
  if (!first) return '';
  const names = giving.map(
    ({ label, room }, i) => html`<span class="${room}">${i === 0 ? label : `, ${label}`}</span>`,
  );
  return html`<p class="left-out ${first.room}">Not shown: ${names}. A wider window shows all columns.</p>`;
}

/** A column as templates name it: label, width, and the names of filters and orders that keep it while they are in force. */
type NamedColumn = readonly [label: string, width: number, keptBy?: string];

/** Columns of a table of a template, which gives their cells their classes. */
export class Columns {
  private readonly rooms: ReadonlyMap<string, string>;

  /** @param columns most important first */
  constructor({ query }: Pick<ConsoleRequest, 'query'>, columns: readonly NamedColumn[]) {
    const inForce = new Set([...query].filter(([, text]) => text !== '').map(([name]) => name));
    inForce.add((query.get('sort') ?? '').replace(/^-/, ''));
    const shown = columns.map(([label, width, keptBy = '']) => ({
      ...{ label, width },
      isKept: keptBy.split(' ').some((name) => name !== '' && inForce.has(name)),
    }));
    const classes = columnClasses(shown);
    this.rooms = new Map(shown.map(({ label }, i) => [label, classes[i] ?? '']));
  }

  /** Returns the class of a column, empty for one that stays. */
  room(label: string): string {
    return this.rooms.get(label) ?? '';
  }

  /** Renders the attribute of a cell of a column. @param others further classes of the cell */
  of(label: string, others = ''): Html | string {
    const names = [others, this.room(label)].filter(Boolean).join(' ');
    return names === '' ? '' : html` class="${names}"`;
  }

  /** Renders {@link leftOut} for these columns. */
  get leftOut(): Html | string {
    return leftOut([...this.rooms].map(([label, room]) => ({ label, room })));
  }
}
