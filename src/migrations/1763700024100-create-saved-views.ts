import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateSavedViews1763700024100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { boolean, instant, int64, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'saved_views',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_saved_views',
          },
          { name: 'kind', type: text },
          { name: 'name', type: text },
          { name: 'query', type: text },
          { name: 'owner', type: text },
          { name: 'owner_name', type: text },
          { name: 'is_shared', type: boolean },
          { name: 'created_at', type: instant },
        ],
        uniques: [{ name: 'uq_saved_views_owner_kind_name', columnNames: ['owner', 'kind', 'name'] }],
        indices: [{ name: 'idx_saved_views_kind_is_shared', columnNames: ['kind', 'is_shared'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('saved_views');
  }
}
