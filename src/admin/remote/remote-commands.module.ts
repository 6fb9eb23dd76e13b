import { type DynamicModule, Module } from '@nestjs/common';
import { ConsoleModule } from '../console/console.module';
import { RemoteCommandsController } from './remote-commands.controller';
import { LOAD_RUNNER, type LoadRunner, RemoteCommands } from './remote-commands.service';

/** Runs commands for people at other machines, in a process that serves. */
@Module({})
export class RemoteCommandsModule {
  static forRoot(loadRunner: LoadRunner): DynamicModule {
    return {
      module: RemoteCommandsModule,
      imports: [ConsoleModule],
      controllers: [RemoteCommandsController],
      providers: [{ provide: LOAD_RUNNER, useValue: loadRunner }, RemoteCommands],
    };
  }
}
