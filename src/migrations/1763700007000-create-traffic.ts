import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

const PRIMARY_KEY = 'pk_traffic_minutes';

const COUNTS = [
  'requests',
  'succeeded',
  'client_errors',
  'server_errors',
  'within_1_ms',
  'within_2_5_ms',
  'within_5_ms',
  'within_10_ms',
  'within_25_ms',
  'within_50_ms',
  'within_100_ms',
  'within_250_ms',
  'within_500_ms',
  'within_1_s',
  'within_2_5_s',
  'within_5_s',
];

export class CreateTraffic1763700007000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'serving_processes',
        columns: [
          { name: 'id', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_serving_processes' },
          { name: 'host', type: text },
          { name: 'pid', type: integer },
          { name: 'worker', type: integer, isNullable: true },
          { name: 'version', type: text },
          { name: 'node_version', type: text },
          { name: 'started_at', type: instant },
          { name: 'seen_at', type: instant },
          { name: 'left_at', type: instant, isNullable: true },
        ],
        indices: [{ name: 'idx_serving_processes_seen_at', columnNames: ['seen_at'] }],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'traffic_minutes',
        columns: [
          { name: 'minute', type: integer, isPrimary: true, primaryKeyConstraintName: PRIMARY_KEY },
          { name: 'process_id', type: text, isPrimary: true, primaryKeyConstraintName: PRIMARY_KEY },
          ...COUNTS.map((name) => ({ name, type: integer })),
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('traffic_minutes');
    await queryRunner.dropTable('serving_processes');
  }
}
