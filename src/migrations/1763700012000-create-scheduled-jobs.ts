import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateScheduledJobs1763700012000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'scheduled_jobs',
        columns: [
          { name: 'name', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_scheduled_jobs' },
          { name: 'schedule', type: text },
          { name: 'due_at', type: instant },
          { name: 'locked_by', type: text, isNullable: true },
          { name: 'locked_until', type: instant, isNullable: true },
          { name: 'started_at', type: instant, isNullable: true },
          { name: 'finished_at', type: instant, isNullable: true },
          { name: 'error', type: text, isNullable: true },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('scheduled_jobs');
  }
}
