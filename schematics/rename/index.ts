import { changing } from '../module/schematic.ts';
import { planRename } from './plan.ts';

/** Renames a field of a module, in four steps that are two releases apart each. */
export const rename = changing(planRename);
