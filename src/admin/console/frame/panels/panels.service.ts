import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type {
  AdminPanel,
  PanelContent,
  PanelTable,
  PanelValue,
} from '../../../../platform/features/admin-panel';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { InjectAdminRecords } from '../../../../platform/features/admin-records.module';
import { FaultLog } from '../../../../platform/logging/fault-log';
import { type Html, html } from '../../../../platform/openapi/html';
import { type Section, section } from '../section';
import { nothing, number } from '../../ui/text';
import { type ShowTime, timeIn } from '../../ui/time';

/** A reader of a page. */
interface Reader {
  readonly timeZone: string;
}

/** The content of a panel, as its template prints it. */
interface PanelView {
  readonly figures: readonly {
    readonly label: string;
    readonly value: Html | string;
    readonly note: string;
  }[];
  readonly table: PanelTableView | undefined;
}

interface PanelTableView {
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly (Html | string)[])[];
}

/** A panel of a page, with its content, or the reason why that could not be read. */
export interface ShownPanel {
  readonly title: string;
  readonly content: Section<PanelView>;
}

/** Methods of a module's service, by their names. */
type Methods = Readonly<Record<string, (id?: bigint) => Promise<PanelContent>>>;

/** Reads the panels of modules. One that cannot be read leaves the rest of its page as it is. */
@Injectable()
export class PanelsService {
  constructor(
    private readonly modules: ModuleRef,
    @InjectAdminRecords() private readonly recordTypes: readonly AdminRecords[],
    private readonly faults: FaultLog,
  ) {}

  /** The panels on the page of a record. */
  ofRecord(recordType: AdminRecords, id: bigint, reader: Reader): Promise<ShownPanel[]> {
    return this.read(recordType, recordType.panels, reader, id);
  }

  /** The panels on the overview, in the order of the features. */
  async ofOverview(reader: Reader): Promise<ShownPanel[]> {
    const all = this.recordTypes.map((recordType) =>
      this.read(recordType, recordType.overviewPanels, reader),
    );
    return (await Promise.all(all)).flat();
  }

  private read(
    { service }: AdminRecords,
    panels: Readonly<Record<string, AdminPanel>> = {},
    reader: Reader,
    id?: bigint,
  ): Promise<ShownPanel[]> {
    const shown = Object.entries(panels).map(async ([name, { title }]) => ({
      title,
      content: await section(
        async () => {
          const methods = this.modules.get<Methods>(service, { strict: false });
          return panelView(await (methods[name] as Methods[string]).call(methods, id), reader);
        },
        (error) => this.faults.error(error, `The panel "${title}" cannot be shown.`),
      ),
    }));
    return Promise.all(shown);
  }
}

/** Formats the content of a panel for a reader. */
function panelView({ figures = [], table }: PanelContent, { timeZone }: Reader): PanelView {
  const time = timeIn(timeZone);
  return {
    figures: figures.map(({ label, value, note = '' }) => ({ label, value: valueHtml(value, time), note })),
    table: table && tableView(table, time),
  };
}

function tableView({ columns, rows }: PanelTable, time: ShowTime): PanelTableView {
  return {
    columns: columns.map((label, i) => ({ label, isNumber: rows.some((row) => isNumber(row[i])) })),
    rows: rows.map((row) => columns.map((_, i) => valueHtml(row[i], time))),
  };
}

function valueHtml(value: PanelValue, time: ShowTime): Html | string {
  if (value === null || value === undefined) return nothing();
  if (value instanceof Date) return time(value);
  if (isNumber(value)) return number(value);
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : html`<bdi class="text">${value}</bdi>`;
}

function isNumber(value: PanelValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
