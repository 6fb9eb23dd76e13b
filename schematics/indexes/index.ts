import { changing } from '../module/schematic.ts';
import { planIndex } from './plan-index.ts';

/** Adds an index to the table of a module, so that its lists can be sorted and filtered by what it covers. */
export const index = changing(planIndex);
