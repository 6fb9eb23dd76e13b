import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

const PRIMARY_KEY = 'pk_idempotent_answers';

export class CreateIdempotentAnswers1763700002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'idempotent_answers',
        columns: [
          { name: 'lineage_id', type: text, isPrimary: true, primaryKeyConstraintName: PRIMARY_KEY },
          { name: 'operation', type: text, isPrimary: true, primaryKeyConstraintName: PRIMARY_KEY },
          { name: 'key', type: text, isPrimary: true, primaryKeyConstraintName: PRIMARY_KEY },
          { name: 'fingerprint', type: text },
          { name: 'status', type: integer },
          { name: 'body', type: text },
          { name: 'location', type: text, isNullable: true },
          { name: 'created_at', type: instant },
        ],
        indices: [{ name: 'idx_idempotent_answers_created_at', columnNames: ['created_at'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('idempotent_answers');
  }
}
