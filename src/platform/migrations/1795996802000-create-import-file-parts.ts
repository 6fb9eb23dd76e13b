import { type MigrationInterface, type QueryRunner, Table, type TableColumn } from 'typeorm';
import { columnTypes } from '../database/column-types';

/** Keeps files of imports in the database, and lets an import be without the size of a file of refused rows. */
export class CreateImportFileParts1795996802000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { bytes, instant, int64, integer } = columnTypes(queryRunner);
    const key = { isPrimary: true, primaryKeyConstraintName: 'pk_import_file_parts' };
    await queryRunner.createTable(
      new Table({
        name: 'import_file_parts',
        columns: [
          { name: 'run_id', type: int64, ...key },
          { name: 'position', type: integer, ...key },
          { name: 'at', type: instant },
          { name: 'bytes', type: bytes },
        ],
        indices: [{ name: 'idx_import_file_parts_at', columnNames: ['at'] }],
      }),
    );
    await setDefault(queryRunner, '0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await setDefault(queryRunner, undefined);
    await queryRunner.dropTable('import_file_parts');
  }
}

async function setDefault(queryRunner: QueryRunner, value: string | undefined): Promise<void> {
  const column = (await queryRunner.getTable('import_runs'))?.findColumnByName('rejects_size') as TableColumn;
  const changed = column.clone();
  changed.default = value;
  await queryRunner.changeColumn('import_runs', column, changed);
}
