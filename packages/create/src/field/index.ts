import { changing } from '../module/schematic.ts';
import { planField } from './plan.ts';

/** Adds fields to a module: entity, migration, DTOs, service and tests. */
export const field = changing(planField);
