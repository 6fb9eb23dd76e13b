import { columnTypes } from '@petstore/platform';
import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

export class CreateShops1790000100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.dataSource.options.type === 'postgres';
    const { bytes, instant, int64, uuid } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'ot_shops',
        columns: [
          {
            name: 'id',
            type: 'integer',
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
          },
          { name: 'name', type: 'varchar' },
          { name: 'visits', type: 'integer', default: isPostgres ? "'0'" : '0' },
          { name: 'isOpen', type: 'boolean', default: isPostgres ? 'true' : '1' },
          { name: 'hours', type: 'text', isNullable: true },
          { name: 'labels', type: 'text', isNullable: true },
          { name: 'createdAt', type: instant, default: isPostgres ? 'now()' : "datetime('now')" },
          { name: 'updatedAt', type: instant, default: isPostgres ? 'now()' : "datetime('now')" },
          { name: 'deletedAt', type: instant, isNullable: true },
          { name: 'version', type: 'integer' },
        ],
        uniques: [{ name: 'UQ_bfde0eec4f2e6cf841801886b27', columnNames: ['name'] }],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'ot_sales',
        columns: [
          { name: 'id', type: uuid, isPrimary: true, isGenerated: true, generationStrategy: 'uuid' },
          { name: 'amount', type: 'integer' },
          { name: 'receipt', type: bytes, isNullable: true },
          { name: 'petId', type: int64, isNullable: true },
          { name: 'shopId', type: 'integer' },
        ],
        indices: [{ name: 'IDX_186848f3d32315a2dda8c264c0', columnNames: ['petId'] }],
        foreignKeys: [
          {
            name: 'FK_88638abb372722b5ecfb4e3dec0',
            columnNames: ['shopId'],
            referencedTableName: 'ot_shops',
            referencedColumnNames: ['id'],
            onDelete: 'RESTRICT',
          },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('ot_sales');
    await queryRunner.dropTable('ot_shops');
  }
}
