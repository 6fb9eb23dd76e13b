import { Module } from '@nestjs/common';

/** What the people who run the store work with: one folder and one module for each of their tasks. */
@Module({ imports: [] })
export class AdminModule {}
