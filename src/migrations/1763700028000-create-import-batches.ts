import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateImportBatches1763700028000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, integer, text } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite.
    for (const column of [
      `"undo_actor" ${text}`,
      `"undone" ${int64}`,
      `"left_alone" ${int64}`,
      `"undone_at" ${instant}`,
    ]) {
      await queryRunner.query(`ALTER TABLE "import_runs" ADD COLUMN ${column}`);
    }
    await queryRunner.createTable(
      new Table({
        name: 'import_batches',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_import_batches',
          },
          { name: 'run_id', type: int64 },
          { name: 'at', type: instant },
          { name: 'records', type: integer },
          { name: 'ids', type: text },
          { name: 'versions', type: text },
          { name: 'left_alone', type: text, isNullable: true },
        ],
        indices: [
          { name: 'idx_import_batches_run_id_id', columnNames: ['run_id', 'id'] },
          { name: 'idx_import_batches_at', columnNames: ['at'] },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('import_batches');
    for (const column of ['undo_actor', 'undone', 'left_alone', 'undone_at']) {
      await queryRunner.query(`ALTER TABLE "import_runs" DROP COLUMN "${column}"`);
    }
  }
}
