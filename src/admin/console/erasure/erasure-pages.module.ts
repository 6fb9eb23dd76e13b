import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module';
import { ErasureModule } from '../../records/erasure/erasure.module';
import { ConsoleModule } from '../console.module';
import { ErasureController } from './erasure.controller';

/** The page of the erasure of a person. */
@Module({
  imports: [AuditModule, ConsoleModule, ErasureModule],
  controllers: [ErasureController],
})
export class ErasurePagesModule {}
