import { changing } from '../module/schematic.ts';
import { planPage } from './plan.ts';

/** Adds a page of the console to a module: its controller, its form, its template and a test. */
export const page = changing(planPage);
