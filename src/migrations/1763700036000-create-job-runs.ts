import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateJobRuns1763700036000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'job_runs',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_job_runs',
          },
          { name: 'job', type: text },
          { name: 'arguments', type: text },
          { name: 'actor', type: text },
          { name: 'state', type: text },
          { name: 'attempts', type: integer },
          { name: 'created_at', type: instant },
          { name: 'due_at', type: instant },
          { name: 'advanced_at', type: instant, isNullable: true },
          { name: 'ended_at', type: instant, isNullable: true },
          { name: 'locked_by', type: text, isNullable: true },
          { name: 'locked_until', type: instant, isNullable: true },
          { name: 'cursor', type: text, isNullable: true },
          { name: 'done', type: int64, isNullable: true },
          { name: 'total', type: int64, isNullable: true },
          { name: 'error', type: text, isNullable: true },
        ],
        indices: [
          { name: 'idx_job_runs_state_due_at_id', columnNames: ['state', 'due_at', 'id'] },
          { name: 'idx_job_runs_ended_at', columnNames: ['ended_at'] },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('job_runs');
  }
}
