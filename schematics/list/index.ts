import { changing } from '../module/schematic.ts';
import { planList } from './plan.ts';

/** Adds ranges, beginnings, sets and orders of a field to the list of a module. */
export const list = changing(planList);
