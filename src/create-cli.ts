import type { Cli, CommandGroup } from './platform/cli/cli';
import type { Output } from './platform/cli/output';
import { changedSettings, loadEnvironment, loadSettings } from './platform/config/load-settings';
import type { FeatureSettings } from './platform/config/setting';
import type { Features } from './platform/features/feature-modules';

/** A group of commands, which is loaded when one of its commands is called. */
interface LoadedGroup {
  /** First words of its commands; two words for a command that is loaded without the others of its group. */
  readonly words: readonly string[];
  /** @param features loads the features whose commands are called for */
  load(features: () => Features): Promise<CommandGroup | readonly CommandGroup[]>;
}

/** The groups of commands. Loading is most of the time that a short command takes. */
const GROUPS: readonly LoadedGroup[] = [
  {
    words: ['keys'],
    load: async (features) => (await import('./auth/keys.command.js')).keyCommands(features()),
  },
  {
    words: ['report'],
    load: async () => (await import('./admin/deprecation/report.command.js')).addReportCommands,
  },
  {
    words: ['audit'],
    load: async () => [
      (await import('./admin/audit/audit.command.js')).addAuditCommands,
      (await import('./admin/erasure/erasure.command.js')).addErasureCommands,
    ],
  },
  {
    words: ['requests'],
    load: async () => (await import('./admin/requests/requests.command.js')).addRequestCommands,
  },
  { words: ['find'], load: async () => (await import('./admin/find/find.command.js')).addFindCommand },
  { words: ['jobs'], load: async () => (await import('./admin/jobs/jobs.command.js')).addJobCommands },
  {
    words: ['db'],
    load: async () => [
      (await import('./admin/database/db.command.js')).addDatabaseCommands,
      (await import('./admin/distribution/distribute.command.js')).addDistributeCommand,
    ],
  },
  {
    words: ['read-only'],
    load: async () => (await import('./admin/read-only/read-only.command.js')).addReadOnlyCommands,
  },
  { words: ['seed'], load: async () => (await import('./pets/seed.command.js')).addSeedCommand },
  {
    words: ['config'],
    load: async (features) =>
      (await import('./platform/cli/config.command.js')).configCommands(settingsBy(features)),
  },
  {
    words: ['openapi'],
    load: async () => (await import('./admin/openapi/openapi.command.js')).openapiCommands(renderDocument),
  },
  {
    words: ['doctor'],
    load: async (features) =>
      (await import('./admin/doctor/doctor.command.js')).doctorCommand(settingsBy(features)),
  },
];

/** Returns the settings that features declare, whose code is loaded for it. */
function settingsBy(features: () => Features): () => Promise<readonly FeatureSettings[]> {
  return async () => (await import('./platform/features/feature-modules.js')).settingsOf(features());
}

async function renderDocument(): Promise<string> {
  const { renderOpenapiDocument } = await import('./process/openapi-document.js');
  return renderOpenapiDocument(loadEnvironment());
}

/**
 * The groups that a command line needs.
 *
 * @param args its words; if the first names neither a group nor records, all groups are returned: help shows them
 */
export async function commandGroups([word = '', second]: readonly string[] = []): Promise<
  readonly CommandGroup[]
> {
  // import() would sort the names of that file.
  const load = () => require('./features') as Features;
  const called = groupsOf(word, second);
  if (called.length > 0) return (await Promise.all(called.map((group) => group.load(load)))).flat();
  const features = load();
  const [{ commandsOf, recordsOf }, { recordCommands }] = await Promise.all([
    import('./platform/features/feature-modules.js'),
    import('./admin/records/commands/records.command.js'),
  ]);
  const [ofRecords, ofFeatures] = [recordCommands(features), commandsOf(features)];
  if (recordsOf(features).some(({ name }) => name === word)) return [ofRecords, ...ofFeatures];
  const own = await Promise.all(GROUPS.map((group) => group.load(load)));
  return [ofRecords, ...own.flat(), ...ofFeatures];
}

/** The group for the first two words of a command, otherwise all that begin with its first word. */
function groupsOf(word: string, second = ''): readonly LoadedGroup[] {
  const alone = GROUPS.filter(({ words }) => words.includes(`${word} ${second}`));
  if (alone.length > 0) return alone;
  return GROUPS.filter(({ words }) => words.some((each) => each.split(' ')[0] === word));
}

/**
 * Makes the context of commands: the modules of the service without HTTP, loaded and opened when a command asks for them.
 *
 * @param onLoaded called when they are loaded, before a command works with them
 */
export function createCli(output: Output, onLoaded?: () => void): Cli {
  const readSettings = (features?: readonly FeatureSettings[]) => loadSettings(loadEnvironment(), features);
  const loaded = async <Loaded>(loading: Promise<Loaded>): Promise<Loaded> => {
    const service = await loading;
    onLoaded?.();
    return service;
  };
  const database = () => loaded(import('./process/command-database.js'));
  const app = () => loaded(import('./process/command-app.js'));
  return {
    output,
    loadSettings: readSettings,
    openDatabase: async (settings) => (await database()).open(settings, output),
    withDatabase: async (work, use) => {
      const settings = readSettings();
      return (await database()).withDatabase(settings, output, work, use);
    },
    withApp: async (work, others = {}, use = {}) => {
      const settings = changedSettings(readSettings(), others);
      return (await app()).withApp(settings, output, work, use);
    },
  };
}
