import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateImportRefusals1763700029000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'import_refusals',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_import_refusals',
          },
          { name: 'run_id', type: int64 },
          { name: 'at', type: instant },
          { name: 'size', type: integer },
          { name: 'text', type: text },
        ],
        indices: [
          { name: 'idx_import_refusals_run_id_id', columnNames: ['run_id', 'id'] },
          { name: 'idx_import_refusals_at', columnNames: ['at'] },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('import_refusals');
  }
}
