import { changing } from '../module/schematic.ts';
import { planRemove } from './plan.ts';

/** Removes a field from a module, in two steps that are two releases apart. */
export const remove = changing(planRemove);
