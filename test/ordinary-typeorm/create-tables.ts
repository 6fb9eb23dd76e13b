import { type MigrationInterface, type QueryRunner, Table, TableForeignKey } from 'typeorm';

/** A migration that makes the tables of entities as they are declared, those between them included. */
export function createTables(version: number, prefix: string): new () => MigrationInterface {
  return class {
    readonly name = `CreateTables${version}`;

    async up(queryRunner: QueryRunner): Promise<void> {
      const { driver, entityMetadatas } = queryRunner.dataSource;
      const own = entityMetadatas.filter(({ tableName }) => tableName.startsWith(prefix));
      for (const metadata of own) await queryRunner.createTable(Table.create(metadata, driver));
      for (const { tableName, foreignKeys } of own) {
        if (foreignKeys.length === 0) continue;
        await queryRunner.createForeignKeys(
          tableName,
          foreignKeys.map((key) => TableForeignKey.create(key, driver)),
        );
      }
    }

    async down(): Promise<void> {}
  };
}
