import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addIndexConcurrently } from '../database/driver/late-constraints';

/** Adds the index that finds the events of a whole, and those that belong to none. */
export class IndexWholeOfAuditEvents1795996801000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const index = new TableIndex({ name: 'idx_audit_events_whole_id', columnNames: ['whole', 'id'] });
    await addIndexConcurrently(queryRunner, 'audit_events', index);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "idx_audit_events_whole_id"');
  }
}
