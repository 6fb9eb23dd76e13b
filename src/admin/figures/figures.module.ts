import { Module } from '@nestjs/common';
import { RecordsModule } from '../records/records.module';
import { FiguresRepository } from './figures.repository';
import { FiguresService } from './figures.service';

/** How many records there are, by value and by day. */
@Module({
  imports: [RecordsModule],
  providers: [FiguresRepository, FiguresService],
  exports: [FiguresService],
})
export class FiguresModule {}
