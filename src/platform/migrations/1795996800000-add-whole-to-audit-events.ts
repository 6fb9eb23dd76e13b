import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes, engineOf } from '../database/column-types';
import { addCheckedColumn } from '../database/driver/late-constraints';
import { IS_ERASED, KEPT } from './1763700044000-create-schema';

/** Adds the whole that an event belongs to: it is stored with the event, and added once to what 1.2.0 recorded. */
export class AddWholeToAuditEvents1795996800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addCheckedColumn(queryRunner, 'audit_events', `"whole" ${columnTypes(queryRunner).int64}`);
    await refuseUpdates(queryRunner, `${isSame([...KEPT, 'whole'])} AND (${IS_ERASED}) OR ${IS_JOINED}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await refuseUpdates(queryRunner, `${isSame(KEPT)} AND (${IS_ERASED})`);
    await queryRunner.query('ALTER TABLE "audit_events" DROP COLUMN "whole"');
  }
}

const isSame = (columns: readonly string[]) =>
  columns.map((name) => `NEW."${name}" IS NOT DISTINCT FROM OLD."${name}"`).join(' AND ');

/** True if an event of no whole comes to one, otherwise as it was: to the first event about a bulk change or an import. */
const IS_JOINED = [
  'OLD."whole" IS NULL',
  isSame([...KEPT, 'actor_name', 'before', 'after', 'address']),
  `EXISTS (SELECT 1 FROM "audit_events" head WHERE ${[
    'head."id" = NEW."whole"',
    'head."id" <> OLD."id"',
    'head."whole" IS NULL',
    'head."subject_type" = OLD."subject_type"',
    `(head."subject_id" LIKE 'bulk:%' OR head."subject_id" LIKE 'import:%')`,
    `head."action" IN (OLD."action", OLD."action" || '_all')`,
  ].join(' AND ')})`,
].join(' AND ');

/** Refuses every update of an event that does not meet a condition. */
async function refuseUpdates(queryRunner: QueryRunner, condition: string): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'postgres') {
    await queryRunner.query(
      `CREATE OR REPLACE FUNCTION "refuse_audit_event_update"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NOT (${condition}) THEN RAISE EXCEPTION 'audit_events is append-only'; END IF; RETURN NEW; END $$`,
    );
    return;
  }
  await queryRunner.query('DROP TRIGGER "audit_events_no_update"');
  await queryRunner.query(
    `CREATE TRIGGER "audit_events_no_update" BEFORE UPDATE ON "audit_events" WHEN NOT (${condition}) BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`,
  );
}
