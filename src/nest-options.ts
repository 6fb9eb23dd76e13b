import type { NestApplicationOptions } from '@nestjs/common';

/** Options of `NestFactory.create()` that are the team's to give; the others are this service's own. */
export type NestOptions = Pick<
  NestApplicationOptions,
  | 'cookies'
  | 'instrument'
  | 'moduleIdGeneratorAlgorithm'
  | 'routeConflictPolicy'
  | 'routeResolutionStrategy'
  | 'snapshot'
>;

/** Options that the application starts with, such as the `instrument` of @nestjs/observe. */
export const nestOptions: NestOptions = {};
