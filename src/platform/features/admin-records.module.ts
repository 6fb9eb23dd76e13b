import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { RECORD_KINDS } from '../http/operations/record-change';
import type { AdminRecords } from './admin-records';
import { type Features, recordsOf, refuseUnlistedRecords } from './feature-modules';

const ADMIN_RECORDS = Symbol('ADMIN_RECORDS');

/** Injects the records of every feature, `readonly AdminRecords[]`, in the order of the features. */
export function InjectAdminRecords(): ParameterDecorator {
  return Inject(ADMIN_RECORDS);
}

/** Gives every module the records that the features let operators work with. */
@Module({})
export class AdminRecordsModule {
  /**
   * Collects the records of the features.
   *
   * @throws Error as {@link recordsOf} does; the start fails when a module offers records and is not listed
   */
  static forRoot(features: Features): DynamicModule {
    const records = recordsOf(features);
    return {
      module: AdminRecordsModule,
      global: true,
      providers: [
        {
          provide: ADMIN_RECORDS,
          inject: [ModulesContainer],
          useFactory: (modules: ModulesContainer) => {
            refuseUnlistedRecords(
              features,
              modules.values().map(({ metatype }) => metatype),
            );
            return records;
          },
        },
        {
          provide: RECORD_KINDS,
          inject: [ADMIN_RECORDS],
          // If two record types share a DTO, its operations are about the first of them.
          useFactory: (all: readonly AdminRecords[]) =>
            new Map(all.toReversed().map(({ record, name }) => [record, name])),
        },
      ],
      exports: [ADMIN_RECORDS, RECORD_KINDS],
    };
  }
}
