import type { Cli, CommandGroup } from './platform/cli/cli';
import type { Output } from './platform/cli/output';
import { hasPets, listedFeatures } from './own-service';
import { changedSettings, loadEnvironment, loadSettings } from './platform/config/load-settings';
import type { FeatureSettings } from './platform/config/setting';
import type { FeaturesOfCommands, LoadedGroup } from './platform/features/tooling';
import { TOOLING } from './tooling';

/** The groups of commands of the core. Loading is most of the time that a short command takes. */
const GROUPS: readonly LoadedGroup[] = [
  {
    words: ['keys'],
    load: async ({ list }) => (await import('./auth/keys.command.js')).keyCommands(list()),
  },
  {
    words: ['seed'],
    load: async () => (hasPets() ? (await import('./pets/seed.command.js')).addSeedCommand : []),
  },
  {
    words: ['config'],
    load: async ({ settings }) => (await import('./platform/cli/config.command.js')).configCommands(settings),
  },
  {
    words: ['openapi'],
    load: async () => (await import('./platform/openapi/openapi.command.js')).openapiCommands(renderDocument),
  },
];

const FEATURES: FeaturesOfCommands = {
  list: listedFeatures,
  settings: async () => (await import('./platform/features/feature-modules.js')).settingsOf(FEATURES.list()),
};

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
  const tooling = await Promise.all(TOOLING.map((load) => load()));
  const groups = [...GROUPS, ...tooling.flatMap(({ commands }) => commands)];
  const load = async (some: readonly LoadedGroup[]) =>
    (await Promise.all(some.map((group) => group.load(FEATURES)))).flat();
  const called = await load(groupsOf(groups, word, second));
  if (called.length > 0) return called;
  const features = FEATURES.list();
  const { commandsOf, recordsOf } = await import('./platform/features/feature-modules.js');
  const ofRecords = await Promise.all(tooling.map((each) => each.recordCommands(features)));
  const ofFeatures = commandsOf(features);
  if (recordsOf(features).some(({ name }) => name === word)) return [...ofRecords, ...ofFeatures];
  return [...ofRecords, ...(await load(groups)), ...ofFeatures];
}

/** The group for the first two words of a command, otherwise all that begin with its first word. */
function groupsOf(groups: readonly LoadedGroup[], word: string, second = ''): readonly LoadedGroup[] {
  const alone = groups.filter(({ words }) => words.includes(`${word} ${second}`));
  if (alone.length > 0) return alone;
  return groups.filter(({ words }) => words.some((each) => each.split(' ')[0] === word));
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
