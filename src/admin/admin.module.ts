import { Module } from '@nestjs/common';
import { RecordsModule } from './records/records.module';

/** What the people who run the store work with: one folder and one module for each of their tasks. */
@Module({ imports: [RecordsModule] })
export class AdminModule {}
