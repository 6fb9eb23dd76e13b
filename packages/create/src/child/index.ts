import { changing } from '../module/schematic.ts';
import { planChild } from './plan.ts';

/** Adds a module whose collection is below each item of another module: `/pets/{petId}/vaccination-records`. */
export const child = changing(planChild);
