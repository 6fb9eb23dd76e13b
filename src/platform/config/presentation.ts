import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFile } from './package-version';

/** Appearance of a service to people: in its document, on its pages, in its console. */
export interface Presentation {
  readonly title: string;
  /** First sentence of the document, as Markdown. */
  readonly description: string;
  /** Path of an SVG image; undefined for the image of the platform. */
  readonly logo: string | undefined;
  /** Colour of links and buttons as CSS has it, `#0b7285`; undefined for those of the platform. */
  readonly color: string | undefined;
}

/** Member of `package.json` in which a service says what differs. */
const MEMBER = 'petstore';

const DEFAULTS = { title: 'Petstore', description: 'The petstore service, over HTTP and JSON.' };
const NAMES: readonly string[] = ['title', 'description', 'logo', 'color'] satisfies (keyof Presentation)[];

const known = new Map<string, Presentation>();

/**
 * Returns how the service presents itself, from the member `petstore` of its `package.json`.
 *
 * @throws Error with one sentence when a value cannot be used
 */
export function presentation(): Presentation {
  const file = packageFile();
  const kept = known.get(file) ?? read(file);
  known.set(file, kept);
  return kept;
}

function read(file: string): Presentation {
  const own =
    (JSON.parse(readFileSync(file, 'utf8')) as { [MEMBER]?: Readonly<Record<string, unknown>> })[MEMBER] ??
    {};
  for (const [name, value] of Object.entries(own)) {
    if (!NAMES.includes(name)) throw fault(name, `is unknown: the members are ${NAMES.join(', ')}`);
    if (typeof value !== 'string' || value === '') throw fault(name, 'must be a text');
  }
  const { logo: image, color, ...texts } = own as Partial<Presentation>;
  if (color !== undefined && !/^#[0-9a-f]{6}$/i.test(color)) {
    throw fault('color', 'must be a colour such as #0b7285');
  }
  const logo = image === undefined ? undefined : join(dirname(file), image);
  if (logo !== undefined && !(logo.endsWith('.svg') && existsSync(logo))) {
    throw fault('logo', `must name an SVG file, and there is no ${logo}`);
  }
  return { ...DEFAULTS, ...texts, logo, color };
}

/** Returns the style sheet that gives pages the colour of the service; empty for that of the platform. */
export function accentStyle(): string {
  const { color } = presentation();
  if (color === undefined) return '';
  const themed = (light: string, dark: string) => `light-dark(${light}, ${dark})`;
  const blend = (share: number, other: string) => `color-mix(in oklab, ${color} ${share}%, ${other})`;
  return `
:root {
  --accent: ${themed(color, blend(55, 'white'))};
  --accent-strong: ${themed(blend(80, 'black'), blend(45, 'white'))};
  --accent-soft: ${themed(blend(12, 'white'), blend(25, 'black'))};
}
`;
}

function fault(name: string, sentence: string): Error {
  return new Error(`${MEMBER}.${name} of package.json ${sentence}.`);
}
