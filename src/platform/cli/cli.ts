import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import type { Settings } from '../config/settings';
import type { Output } from './output';

/** The application as commands see it. */
export type CommandContext = Pick<INestApplicationContext, 'get'>;

/** How a command uses the database. */
export interface DatabaseUse {
  /** Whether to make the SQLite database where there is none. */
  readonly mayCreate?: boolean;
  /** Whether nothing is written, not even to the request log. */
  readonly changesNothing?: boolean;
}

/** What a command may use. Nothing of it is opened before the command asks for it. */
export interface Cli {
  readonly output: Output;
  /** @throws SettingsError */
  loadSettings(): Settings;
  /**
   * Opens a database that the caller closes, with what these settings say.
   *
   * @throws MissingDatabaseError or DatabaseOpenError
   */
  openDatabase(settings: Settings): Promise<DataSource>;
  /**
   * Opens the database as it is, and closes it afterwards.
   *
   * @throws SettingsError, MissingDatabaseError, DatabaseOpenError, or what the work throws
   */
  withDatabase<T>(work: (dataSource: DataSource) => Promise<T>, use?: DatabaseUse): Promise<T>;
  /**
   * Starts the application without HTTP on a database that fits it, and stops it afterwards. On a server it is the one that runs there.
   *
   * @param others settings that take the place of those of the environment
   * @throws SettingsError, MissingDatabaseError, DatabaseOpenError, CommandError when the database is behind, or what the work throws
   */
  withApp<T>(
    work: (app: CommandContext) => T | Promise<T>,
    others?: Partial<Settings>,
    use?: DatabaseUse,
  ): Promise<T>;
}

/** Adds a feature's commands to the program. */
export type CommandGroup = (program: Command, cli: Cli) => void;

/** The option of every command that gives data. */
export const JSON_OPTION = ['--json', 'print JSON'] as const;
