import type { DynamicModule } from '@nestjs/common';
import type { CommandContext, CommandGroup } from '../cli/cli';
import type { FeatureSettings } from '../config/setting';
import type { Settings } from '../config/settings';
import type { Features } from './feature-modules';

/** The features as commands need them; their code is loaded when they are asked for. */
export interface FeaturesOfCommands {
  readonly list: () => Features;
  /** Returns the settings that the features declare. */
  readonly settings: () => Promise<readonly FeatureSettings[]>;
}

/** A group of commands, which is loaded when one of its commands is called. */
export interface LoadedGroup {
  /** First words of its commands; two words for a command that is loaded without the others of its group. */
  readonly words: readonly string[];
  load(features: FeaturesOfCommands): Promise<CommandGroup | readonly CommandGroup[]>;
}

/** Commands and pages for the people who run the service, beside the core. */
export interface Tooling {
  /** The module for commands. */
  commandModule(settings: Settings): Promise<DynamicModule>;
  /** The module for the server. */
  serverModule(settings: Settings): Promise<DynamicModule>;
  /** Begins what runs beside requests; called once the process listens. */
  begin(app: CommandContext): Promise<void>;
  readonly commands: readonly LoadedGroup[];
  /** Loads the commands about the records of features. */
  recordCommands(features: Features): Promise<CommandGroup>;
}
