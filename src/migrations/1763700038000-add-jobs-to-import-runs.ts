import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

/** JSON of the arguments of the job that undoes a run. */
const ARGUMENTS = `'{"recordType":"' || "kind" || '","run":{"$int64":"' || CAST("id" AS text) || '"}}'`;

export class AddJobsToImportRuns1763700038000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64 } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(`ALTER TABLE "import_runs" ADD COLUMN "job" ${int64}`);
    const unfinished = `"undo_actor" IS NOT NULL AND "undone_at" IS NULL`;
    await queryRunner.query(`
      INSERT INTO "job_runs" ("job", "arguments", "actor", "state", "attempts", "created_at", "due_at")
      SELECT 'ImportUndoJob.run', ${ARGUMENTS}, "undo_actor", 'waiting', 0, "started_at", "started_at"
      FROM "import_runs" WHERE ${unfinished}`);
    // Processes of older versions leave it to the job.
    await queryRunner.query(`
      UPDATE "import_runs" SET "holder" = 'jobs', "held_until" = '9999-12-31 00:00:00.000',
        "job" = (SELECT "job_runs"."id" FROM "job_runs" WHERE "arguments" = ${ARGUMENTS.replaceAll('"kind"', '"import_runs"."kind"').replaceAll('"id"', '"import_runs"."id"')})
      WHERE ${unfinished}`);
    await queryRunner.query(`DELETE FROM "scheduled_jobs" WHERE "name" = 'ImportUndoJob.run'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DELETE FROM "job_runs" WHERE "job" IN ('ImportUndoJob.run', 'ImportFileJob.run')`,
    );
    await queryRunner.query(
      `UPDATE "import_runs" SET "holder" = NULL, "held_until" = "started_at" WHERE "holder" = 'jobs'`,
    );
    await queryRunner.query(`ALTER TABLE "import_runs" DROP COLUMN "job"`);
  }
}
