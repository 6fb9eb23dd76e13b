import { changing } from '../module/schematic.ts';
import { planMigration } from './plan.ts';

/** Adds a migration that gives the tables what the entities declare. */
export const migration = changing(planMigration);
