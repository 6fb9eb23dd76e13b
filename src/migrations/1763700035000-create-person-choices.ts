import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreatePersonChoices1763700035000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text } = columnTypes(queryRunner);
    const key = { type: text, isPrimary: true, primaryKeyConstraintName: 'pk_person_choices' };
    await queryRunner.createTable(
      new Table({
        name: 'person_choices',
        columns: [
          { ...key, name: 'owner' },
          { ...key, name: 'name' },
          { name: 'value', type: text },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('person_choices');
  }
}
