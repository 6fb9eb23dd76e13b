import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreatePersonalValues1763700039000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64, text } = columnTypes(queryRunner);
    const valueKey = { isPrimary: true, primaryKeyConstraintName: 'pk_personal_values' };
    await queryRunner.createTable(
      new Table({
        name: 'personal_values',
        columns: [
          { name: 'event_id', type: int64, ...valueKey },
          { name: 'member', type: text, ...valueKey },
          { name: 'subject_type', type: text },
          { name: 'subject_id', type: text },
          { name: 'sealed', type: text },
        ],
        indices: [{ name: 'idx_personal_values_subject', columnNames: ['subject_type', 'subject_id'] }],
      }),
    );
    const keyKey = { isPrimary: true, primaryKeyConstraintName: 'pk_personal_keys' };
    await queryRunner.createTable(
      new Table({
        name: 'personal_keys',
        columns: [
          { name: 'subject_type', type: text, ...keyKey },
          { name: 'subject_id', type: text, ...keyKey },
          { name: 'key', type: text },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('personal_keys');
    await queryRunner.dropTable('personal_values');
  }
}
