import type { NestOptions } from './platform/http/nest-options';

/** Options that the application starts with, such as the `instrument` of @nestjs/observe. */
export const nestOptions: NestOptions = {};
