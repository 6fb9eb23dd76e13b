import { Setting } from './setting';
import { SETTINGS_DECLARATION } from './settings';

const LINE_WIDTH = 100;

const declared = Object.entries<Setting>(SETTINGS_DECLARATION);

/** The text of `.env.example`: every setting once, described and commented out with its default. */
export function renderEnvExample(): string {
  const sections = declared.map(([name, setting]) =>
    [
      ...comment(describe(name, setting).replaceAll('`', '')),
      ...comment(`Allowed: ${setting.kind.allowed}.`),
      ...(setting.example === undefined ? [] : [`# Example: ${setting.example}`]),
      `# ${name}=${setting.default ?? ''}`,
    ].join('\n'),
  );
  const head = comment(
    'Settings of the petstore service, with their defaults. Copy this file to .env and uncomment what you change. The environment wins over .env; an empty value counts as unset.',
  ).join('\n');
  return `${[head, ...sections].join('\n\n')}\n`;
}

/** The settings as a Markdown table, its columns padded the way Prettier does it. */
export function renderSettingsTable(): string {
  const header = ['Setting', 'Default', 'Allowed', 'Meaning'];
  const rows = declared.map(([name, setting]) => [
    code(name),
    setting.default ? code(setting.default) : '',
    escapeCell(setting.kind.allowed),
    setting.example === undefined
      ? describe(name, setting)
      : `${describe(name, setting)} Example: ${code(setting.example)}`,
  ]);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function describe(name: string, { description, secret }: Setting): string {
  return secret ? `${description} ${code(`${name}_FILE`)} names a file that holds it instead.` : description;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Keeps `<path>` from being read as an HTML tag. */
function escapeCell(text: string): string {
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
