import { changing } from '../module/schematic.ts';
import { planIndex } from './plan-index.ts';
import { planUnique } from './plan-unique.ts';

/** Adds an index to the table of a module, so that its lists can be sorted and filtered by what it covers. */
export const index = changing(planIndex);

/** Lets no two of a module have the same values of fields. */
export const unique = changing(planUnique);
