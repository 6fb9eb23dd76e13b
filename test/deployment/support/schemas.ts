import { join } from 'node:path';
import ts from 'typescript';
import { PROJECT } from './dockerfile';

/** A Kubernetes resource, as far as every one is alike. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/**
 * Checks a resource against Kubernetes' own schemas, twice: their validators refuse what is missing or malformed, and their
 * types, which the resource is held against as a literal, refuse undeclared members, such as a misspelt one.
 *
 * @returns what is wrong, one a line; empty when nothing is
 */
export async function resourceFaults(resource: Resource): Promise<string[]> {
  const { apiVersion, kind } = resource;
  const packageName = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  const module = `${packageName}/${apiVersion}/${kind}`;
  return [
    ...literalFaults(`import type { I${kind} as T } from '${module}';`, 'T', resource),
    ...(await validatorFaults(module, resource)),
  ];
}

async function validatorFaults(module: string, resource: Resource): Promise<string[]> {
  type Model = new (data: Resource) => { validate(): void };
  // By its path: the packages are for `import` alone, and Jest turns that into `require`.
  const file = join(PROJECT, 'node_modules', `${module}.js`);
  const { [resource.kind]: Class } = (await import(file)) as Record<string, Model | undefined>;
  if (!Class) return [`${module} has no ${resource.kind}.`];
  try {
    new Class(resource).validate();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** Grafana's types, with each panel held to the options and queries of its kind, which the types leave open. */
const DASHBOARD_TYPES = `
import type { Dashboard, Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus';
import type * as stat from '@grafana/grafana-foundation-sdk/stat';
import type * as table from '@grafana/grafana-foundation-sdk/table';
import type * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
type Of<Kind, Options, Custom> = Omit<Panel, 'type' | 'targets' | 'options' | 'fieldConfig'> & {
  type: Kind; targets: Omit<Dataquery, \`_\${string}\`>[]; options: Partial<Options>;
  fieldConfig: Omit<NonNullable<Panel['fieldConfig']>, 'defaults'> & {
    defaults: Omit<NonNullable<Panel['fieldConfig']>['defaults'], 'custom'> & { custom?: Partial<Custom> };
  };
};
type T = Omit<Dashboard, 'panels'> & { panels: (
  | RowPanel
  | Of<'stat', stat.Options, never>
  | Of<'table', table.Options, never>
  | Of<'timeseries', timeseries.Options, timeseries.FieldConfig>
)[] };`;

/** @returns what in a dashboard is not as Grafana's types have it, one a line */
export function dashboardFaults(dashboard: unknown): string[] {
  return literalFaults(DASHBOARD_TYPES, 'T', dashboard);
}

/** Read once: they are large, and each value is checked by a program of its own. */
const declarationFiles = new Map<string, ts.SourceFile>();

/** Lets the compiler hold a value, written as a literal, to a type: it refuses members the type does not have. */
function literalFaults(declarations: string, type: string, value: unknown): string[] {
  const file = join(PROJECT, 'test', 'deployment', 'literal.mts');
  const text = `${declarations}\nexport const value: ${type} = ${JSON.stringify(value, undefined, 1)};\n`;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const readFile = host.readFile.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => path === file || fileExists(path);
  host.readFile = (path) => {
    if (path === file) return text;
    const content = readFile(path);
    return path.includes('grafana-foundation-sdk') ? content && withPlainEnums(content) : content;
  };
  host.getSourceFile = (path, ...rest) => {
    const source = declarationFiles.get(path) ?? getSourceFile(path, ...rest);
    if (path !== file && source) declarationFiles.set(path, source);
    return source;
  };
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const { line } = ts.getLineAndCharacterOfPosition(
      diagnostic.file as ts.SourceFile,
      diagnostic.start as number,
    );
    const where = text.split('\n')[line]?.trim();
    return `${where}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
  });
}

/** JSON has texts where TypeScript wants the members of an enumeration of texts: `"absolute"`, not `ThresholdsMode.Absolute`. */
function withPlainEnums(declarations: string): string {
  return declarations.replace(
    /export declare enum (\w+) \{([^}]*)\}/g,
    (whole, name: string, members: string) => {
      const texts = members.match(/"[^"]*"/g);
      return texts ? `export type ${name} = ${texts.join(' | ')};` : whole;
    },
  );
}
