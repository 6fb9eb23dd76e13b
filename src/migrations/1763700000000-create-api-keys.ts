import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateApiKeys1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text, instant, int64 } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'api_keys',
        columns: [
          { name: 'id', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_api_keys' },
          { name: 'token_hash', type: text },
          { name: 'hint', type: text },
          { name: 'name', type: text },
          { name: 'owner', type: text, isNullable: true },
          { name: 'scopes', type: text },
          { name: 'lineage_id', type: text },
          { name: 'created_at', type: instant },
          { name: 'expires_at', type: instant, isNullable: true },
          { name: 'revoked_at', type: instant, isNullable: true },
          { name: 'last_used_at', type: instant, isNullable: true },
        ],
        uniques: [{ name: 'uq_api_keys_token_hash', columnNames: ['token_hash'] }],
        indices: [{ name: 'idx_api_keys_lineage_id', columnNames: ['lineage_id'] }],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'operation_uses',
        columns: [
          { name: 'key_id', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_operation_uses' },
          { name: 'operation', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_operation_uses' },
          { name: 'count', type: int64 },
          { name: 'last_used_at', type: instant },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('operation_uses');
    await queryRunner.dropTable('api_keys');
  }
}
