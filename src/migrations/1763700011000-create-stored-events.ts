import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateStoredEvents1763700011000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'stored_events',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_stored_events',
          },
          { name: 'event', type: text },
          { name: 'handler', type: text },
          { name: 'consumer', type: text },
          { name: 'subject', type: text, isNullable: true },
          { name: 'payload', type: text },
          { name: 'published_at', type: instant },
          { name: 'attempts', type: integer },
          { name: 'due_at', type: instant },
          { name: 'locked_by', type: text, isNullable: true },
          { name: 'locked_until', type: instant, isNullable: true },
          { name: 'error', type: text, isNullable: true },
          { name: 'failed_at', type: instant, isNullable: true },
        ],
        indices: [
          { name: 'idx_stored_events_failed_at', columnNames: ['failed_at', 'id'] },
          { name: 'idx_stored_events_subject', columnNames: ['consumer', 'subject', 'id'] },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('stored_events');
  }
}
