import { changing } from '../module/schematic.ts';
import { planOperation } from './plan.ts';

/** Adds an operation on single records of a module: its route, its rules and a test. */
export const operation = changing(planOperation);
