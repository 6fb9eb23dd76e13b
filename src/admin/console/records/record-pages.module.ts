import { Module, type OnModuleInit } from '@nestjs/common';
import { KeysModule } from '../../../auth/keys.module';
import { HistoryModule } from '../../records/history/history.module';
import { RecordsModule } from '../../records/records.module';
import { RecordsService } from '../../records/records.service';
import { TransferModule } from '../../records/transfer/transfer.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { PanelsModule } from '../frame/panels/panels.module';
import { BulkController } from './bulk/bulk.controller';
import { ChangeNotices } from './record/change-notices';
import { ExportController } from './list/export.controller';
import { OptionsController } from './record/options.controller';
import { RecordActionsController } from './record/record-actions.controller';
import { RecordController } from './record/record.controller';
import { RecordFormsController } from './record/record-forms.controller';
import { RecordListController } from './record-list.controller';
import { ImportController } from './import/import.controller';
import { ImportRefusalsController } from './import/import-refusals.controller';
import { ImportUndoController } from './import/import-undo.controller';
import { titleOf } from '../../records/record-names';
import { listPath } from './record-paths';
import { RecordScope } from './record-scope';
import { RemovalController } from './record/removal.controller';
import { SearchesOfPeople } from './record/searches-of-people';
import { UndoController } from './record/undo.controller';
import { SavedViewsRepository } from './views/saved-views.repository';
import { SavedViews } from './views/saved-views.service';
import { ViewsController } from './views/views.controller';

/** Position of records in the navigation, after the overview; among themselves they have the order of the features. */
const NAVIGATION_ORDER = 10;

/** The console's pages for records of every type that a feature describes. */
@Module({
  imports: [ConsoleModule, HistoryModule, KeysModule, PanelsModule, RecordsModule, TransferModule],
  // The fixed paths `/new`, `/bulk`, `/import`, `/options`, `/views` and `/actions` have to match before an id.
  controllers: [
    RecordActionsController,
    RecordListController,
    RecordFormsController,
    BulkController,
    ExportController,
    ImportController,
    ImportRefusalsController,
    ImportUndoController,
    ViewsController,
    OptionsController,
    RemovalController,
    UndoController,
    RecordController,
  ],
  providers: [ChangeNotices, RecordScope, SavedViews, SavedViewsRepository, SearchesOfPeople],
})
export class RecordPagesModule implements OnModuleInit {
  constructor(
    private readonly records: RecordsService,
    private readonly navigation: ConsoleNavigation,
  ) {}

  onModuleInit(): void {
    for (const recordType of this.records.recordTypes) {
      this.navigation.add({
        title: titleOf(recordType),
        path: listPath(recordType),
        icon: recordType.icon ?? 'box',
        order: NAVIGATION_ORDER,
        subject: { type: recordType.name, existing: (ids) => this.records.existing(recordType, ids) },
      });
    }
  }
}
