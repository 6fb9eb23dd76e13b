import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Settings } from '../../config/settings';
import { SETTINGS } from '../../config/settings.module';
import { ServiceAddress } from '../../values/service-address';
import { OperationRegistry } from './operation-registry';
import { SchemaParameters } from './schema-parameters';

/** Every operation of the application, and the address under which clients call them. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    OperationRegistry,
    SchemaParameters,
    {
      provide: ServiceAddress,
      useFactory: ({ publicBaseUrl }: Settings) => new ServiceAddress(publicBaseUrl),
      inject: [SETTINGS],
    },
  ],
  exports: [OperationRegistry, ServiceAddress],
})
export class OperationsModule {}
