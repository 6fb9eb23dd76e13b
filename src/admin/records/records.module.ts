import { Module } from '@nestjs/common';
import { RecordsRepository } from './records.repository';
import { RecordsService } from './records.service';

/** Records of every feature that describes some. */
@Module({ providers: [RecordsRepository, RecordsService], exports: [RecordsService] })
export class RecordsModule {}
