import { changing } from '../module/schematic.ts';
import { planIndex } from './plan-index.ts';
import { planUnique } from './plan-unique.ts';

/** Adds an index to the table of a module, so that its lists can be sorted and filtered by the indexed fields. */
export const index = changing(planIndex);

/** Makes the values of fields unique among the records of a module. */
export const unique = changing(planUnique);
