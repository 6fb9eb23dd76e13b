import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateImportRuns1763700008000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'import_runs',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_import_runs',
          },
          { name: 'kind', type: text },
          { name: 'format', type: text },
          { name: 'digest', type: text },
          { name: 'round', type: integer },
          { name: 'file_name', type: text },
          { name: 'started_by', type: text },
          { name: 'started_at', type: instant },
          { name: 'rows', type: int64 },
          { name: 'imported', type: int64 },
          { name: 'refused', type: int64 },
          { name: 'rejects_size', type: int64 },
          { name: 'holder', type: text, isNullable: true },
          { name: 'held_until', type: instant },
          { name: 'finished_at', type: instant, isNullable: true },
        ],
        uniques: [{ name: 'uq_import_runs_content', columnNames: ['kind', 'format', 'digest', 'round'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('import_runs');
  }
}
