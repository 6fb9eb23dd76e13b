import type { FeatureSettings, Setting } from './setting';
import { SETTINGS_DECLARATION } from './settings';

const LINE_WIDTH = 100;

const PAGE_HEAD = `# Settings

Settings come from the environment and from a file \`.env\` in the working directory. The environment wins over \`.env\`, and an empty value counts as unset. The service reports all faulty settings at once when it starts. A setting that is gone and made the service safer is such a fault, too. [.env.example](../.env.example) is ready to copy.

\`petstore config check\` says whether the settings are valid; \`petstore config print\` prints the current ones.`;

/** A setting with its name. */
interface NamedSetting {
  readonly name: string;
  readonly setting: Setting;
  /** The module that declares it; unset for one of the service. */
  readonly owner?: string;
}

function allOf(features: readonly FeatureSettings[]): NamedSetting[] {
  const own = Object.entries<Setting>(SETTINGS_DECLARATION).map(([name, setting]) => ({ name, setting }));
  const others = features.flatMap(({ owner, settings }) =>
    Object.entries(settings).map(([name, setting]) => ({ name, setting, owner })),
  );
  return [...own, ...others];
}

/** Renders `.env.example`: every setting once, described and commented out with its default. */
export function renderEnvExample(features: readonly FeatureSettings[] = []): string {
  const sections = allOf(features).map(({ name, setting, owner }) =>
    [
      ...comment(describe(name, setting).replaceAll('`', '')),
      ...comment(`Allowed: ${setting.kind.allowed}.`),
      ...(owner === undefined ? [] : [`# Of: ${owner}`]),
      ...(setting.example === undefined ? [] : [`# Example: ${setting.example}`]),
      `# ${name}=${setting.default ?? ''}`,
    ].join('\n'),
  );
  const head = comment(
    'Settings of the petstore service, with their defaults. Copy this file to .env and uncomment what you change. The environment wins over .env; an empty value counts as unset.',
  ).join('\n');
  return `${[head, ...sections].join('\n\n')}\n`;
}

/** Renders `docs/settings.md`: every setting under a heading of its own, so that pages can link to it. */
export function renderSettingsPage(features: readonly FeatureSettings[] = []): string {
  const sections = allOf(features).map(({ name, setting, owner }) =>
    [
      `## ${name}`,
      '',
      describe(name, setting),
      '',
      `- Default: ${setting.default ? code(setting.default) : 'none'}`,
      `- Allowed: ${escapeHtml(setting.kind.allowed)}`,
      ...(setting.example === undefined ? [] : [`- Example: ${code(setting.example)}`]),
      ...(owner === undefined ? [] : [`- Of: ${code(owner)}`]),
    ].join('\n'),
  );
  return `${[PAGE_HEAD, ...sections].join('\n\n')}\n`;
}

function describe(name: string, { description, secret }: Setting): string {
  return secret ? `${description} ${code(`${name}_FILE`)} names a file that holds it instead.` : description;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Keeps `<path>` from being read as an HTML tag. */
function escapeHtml(text: string): string {
  return text.replaceAll('<', '\\<');
}

function comment(text: string): string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
