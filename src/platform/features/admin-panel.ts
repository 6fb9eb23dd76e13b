/**
 * A panel that a module adds to a page of the console. It is named after the method of the service that returns its content.
 */
export interface AdminPanel {
  /** Its heading: `Turnover`. */
  readonly title: string;
}

/** Content of a panel: figures, a table, or both. The console escapes its texts: they are not HTML. */
export interface PanelContent {
  readonly figures?: readonly PanelFigure[];
  readonly table?: PanelTable;
}

/** One value with its name. */
export interface PanelFigure {
  readonly label: string;
  readonly value: PanelValue;
  /** Scope of the value: `in the last 30 days`. */
  readonly note?: string;
}

/** A small table. Numbers are aligned to the right. */
export interface PanelTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly PanelValue[])[];
}

/** A value in a panel; a `Date` is shown in the zone of the reader, `null` and `undefined` as a dash. */
export type PanelValue = string | number | bigint | boolean | Date | null | undefined;

/** The methods of a service that return the content of a panel. */
export type PanelMethod<Service, Parameters extends unknown[]> = {
  [Name in keyof Service]: Service[Name] extends (...given: Parameters) => Promise<PanelContent>
    ? Name
    : never;
}[keyof Service];
