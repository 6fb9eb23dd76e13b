import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AdminPanel, PanelContent } from '../../../../platform/features/admin-panel';
import { forOperators } from '../../../records/for-operators';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { InjectAdminRecords } from '../../../../platform/features/admin-records.module';
import { FaultLog } from '../../../../platform/logging/fault-log';
import type { Html } from '../../../../platform/html/html';
import { type Section, section } from '../section';
import { shownValue, table } from '../../ui/table';
import { timeIn } from '../../ui/time';

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
  /** Undefined without a row. */
  readonly table: Html | undefined;
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
          const methods = forOperators(this.modules.get<Methods>(service, { strict: false }));
          return panelView(await (methods[name] as Methods[string]).call(methods, id), reader);
        },
        (error) => this.faults.error(error, `The panel "${title}" cannot be shown.`),
      ),
    }));
    return Promise.all(shown);
  }
}

/** Formats the content of a panel for a reader. */
function panelView({ figures = [], table: rows }: PanelContent, { timeZone }: Reader): PanelView {
  const time = timeIn(timeZone);
  return {
    figures: figures.map(({ label, value, note = '' }) => ({ label, value: shownValue(value, time), note })),
    table: rows && rows.rows.length > 0 ? table(rows, time) : undefined,
  };
}
