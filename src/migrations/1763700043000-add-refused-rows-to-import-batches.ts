import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddRefusedRowsToImportBatches1763700043000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { integer, text } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite.
    for (const column of [`"refused_size" ${integer} NOT NULL DEFAULT 0`, `"refused" ${text}`]) {
      await queryRunner.query(`ALTER TABLE "import_batches" ADD COLUMN ${column}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of ['refused', 'refused_size']) {
      await queryRunner.query(`ALTER TABLE "import_batches" DROP COLUMN "${column}"`);
    }
  }
}
