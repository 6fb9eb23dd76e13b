import { changing } from '../module/schematic.ts';
import { planChange } from './plan.ts';

/** Changes the limits, the pattern, the default or the description of a field of a module. */
export const change = changing(planChange);
