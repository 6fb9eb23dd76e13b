import { Module } from '@nestjs/common';
import { KeysModule } from '../../../auth/keys.module';
import { AuditModule } from '../../audit/audit.module';
import { RecordsModule } from '../records.module';
import { ErasedEvents } from './erased-events.repository';
import { ErasureService } from './erasure.service';
import { HeldService } from './held.service';
import { TracesRepository } from './traces.repository';

/** The erasure of what identifies a person, and the export of all that is held of one. */
@Module({
  imports: [AuditModule, KeysModule, RecordsModule],
  providers: [ErasedEvents, ErasureService, HeldService, TracesRepository],
  exports: [ErasureService, HeldService],
})
export class ErasureModule {}
