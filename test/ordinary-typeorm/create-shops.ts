import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Tables as TypeORM's documentation has a migration make them. */
export class CreateShops1790000100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.dataSource.options.type === 'postgres';
    const instant = isPostgres ? 'timestamp with time zone' : 'datetime';
    const now = isPostgres ? 'now()' : "datetime('now')";
    await queryRunner.createTable(
      new Table({
        name: 'ot_shops',
        columns: [
          {
            name: 'id',
            type: isPostgres ? 'int' : 'integer',
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
          },
          { name: 'name', type: 'varchar', isUnique: true },
          { name: 'visits', type: 'int', default: 0 },
          { name: 'isOpen', type: 'boolean', default: isPostgres ? 'true' : '1' },
          { name: 'hours', type: 'text', isNullable: true },
          { name: 'labels', type: 'text', isNullable: true },
          { name: 'createdAt', type: instant, default: now },
          { name: 'updatedAt', type: instant, default: now },
          { name: 'deletedAt', type: instant, isNullable: true },
          { name: 'version', type: 'int' },
        ],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'ot_sales',
        columns: [
          {
            name: 'id',
            type: isPostgres ? 'uuid' : 'varchar',
            isPrimary: true,
            generationStrategy: 'uuid',
            ...(isPostgres && { default: 'gen_random_uuid()' }),
          },
          { name: 'amount', type: 'int' },
          { name: 'receipt', type: isPostgres ? 'bytea' : 'blob', isNullable: true },
          { name: 'petId', type: isPostgres ? 'bigint' : 'integer', isNullable: true },
          { name: 'shopId', type: isPostgres ? 'int' : 'integer' },
        ],
        indices: [{ columnNames: ['petId'] }],
        foreignKeys: [
          {
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
