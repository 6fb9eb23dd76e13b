import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AdminPanel, PanelContent } from '../../../platform/features/admin-panel';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { InjectAdminRecords } from '../../../platform/features/admin-records.module';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { type Section, section } from '../section';
import { type PanelView, panelView } from './panel-view';

/** A reader of a page. */
interface Reader {
  readonly timeZone: string;
}

/** A panel of a page, with why its content is missing where it could not be read. */
export interface ShownPanel {
  readonly title: string;
  readonly content: Section<PanelView>;
}

/** Methods of a module's service, by their names. */
type Methods = Readonly<Record<string, (id?: bigint) => Promise<PanelContent>>>;

/** Reads what the panels of modules show. A panel that cannot be read leaves the rest of its page as it is. */
@Injectable()
export class PanelsService {
  constructor(
    private readonly modules: ModuleRef,
    @InjectAdminRecords() private readonly kinds: readonly AdminRecords[],
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** The panels on the page of a record. */
  ofRecord(kind: AdminRecords, id: bigint, reader: Reader): Promise<ShownPanel[]> {
    return this.read(kind, kind.panels, reader, id);
  }

  /** The panels on the overview, in the order of the features. */
  async ofOverview(reader: Reader): Promise<ShownPanel[]> {
    const all = this.kinds.map((kind) => this.read(kind, kind.overviewPanels, reader));
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
        (error) => this.logger.error({ err: error }, `The panel "${title}" cannot be shown.`),
      ),
    }));
    return Promise.all(shown);
  }
}
