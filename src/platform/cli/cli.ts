import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import type { FeatureSettings } from '../config/setting';
import type { Settings } from '../config/settings';
import type { Output } from './output';

/** The part of the application that commands use. */
export type CommandContext = Pick<INestApplicationContext, 'get'>;

/** Options for a command's use of the database. */
export interface DatabaseUse {
  /** True to create the SQLite database if it is missing. */
  readonly mayCreate?: boolean;
  /** True to open a SQLite file on a read-only file system as well; what writes fails there. */
  readonly mayOnlyRead?: boolean;
  /** True to write nothing, not even to the request log. */
  readonly changesNothing?: boolean;
}

/** Context that a command gives to the checks that it makes. */
export interface CheckContext {
  readonly settings: Settings;
  /** True if checks may take the time to read every row. */
  readonly isDeep: boolean;
  /**
   * Opens the database, at most once, and never creates it.
   *
   * @throws MissingDatabaseError or DatabaseOpenError
   */
  readonly database: () => Promise<DataSource>;
  /**
   * Starts the application without HTTP, at most once; it changes nothing.
   *
   * @throws as {@link database}, or CommandError when the database is behind
   */
  readonly service: () => Promise<CommandContext>;
}

/** Services for commands. Nothing is opened before a command asks for it. */
export interface Cli {
  readonly output: Output;
  /**
   * Reads the settings.
   *
   * @param features declarations of features, to be checked and printed beside those of the service
   * @throws SettingsError
   */
  loadSettings(features?: readonly FeatureSettings[]): Settings;
  /**
   * Opens the database of these settings, which the caller closes.
   *
   * @throws MissingDatabaseError or DatabaseOpenError
   */
  openDatabase(settings: Settings): Promise<DataSource>;
  /**
   * Opens the database in its present state, and closes it afterwards.
   *
   * @throws SettingsError, MissingDatabaseError, DatabaseOpenError, or the error of the work
   */
  withDatabase<T>(work: (dataSource: DataSource) => Promise<T>, use?: DatabaseUse): Promise<T>;
  /**
   * Starts the application without HTTP on a database that fits it, and stops it afterwards.
   *
   * @param others settings that replace those of the environment
   * @throws SettingsError, MissingDatabaseError, DatabaseOpenError, CommandError when the database is behind, or the error of
   * the work
   */
  withApp<T>(
    work: (app: CommandContext) => T | Promise<T>,
    others?: Partial<Settings>,
    use?: DatabaseUse,
  ): Promise<T>;
}

/** Adds a feature's commands to the program. */
export type CommandGroup = (program: Command, cli: Cli) => void;

/** Option of every command that prints data. */
export const JSON_OPTION = ['--json', 'print JSON'] as const;

/** Option of every command that prints a list. */
export const FORM_OPTION = ['-o <form>', 'json, wide, or names of columns, such as id,name'] as const;
