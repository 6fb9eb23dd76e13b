import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { MigrationInterface } from 'typeorm';
import ts from 'typescript';
import type { Project } from './project.ts';

const SOURCES = join(__dirname, '..', '..', '..', '..');

export type Migration = new () => MigrationInterface;

/** The first export of the newest generated file whose path matches. The platform is that of these tests. */
export function generatedClass(project: Project, pattern: RegExp): Function {
  const path = [...project.sources().keys()].findLast((each) => pattern.test(each)) ?? '';
  return Object.values(load(project, path))[0] as Function;
}

function load(project: Project, path: string): Record<string, unknown> {
  const code = ts.transpile(project.read(path), {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    experimentalDecorators: true,
    useDefineForClassFields: false,
  });
  const find = (name: string): unknown => {
    const found = name.startsWith('.') ? join(dirname(path), name) : name;
    if (found.startsWith('src/sculptors')) return load(project, `${found}.ts`);
    return require(name.startsWith('.') ? join(SOURCES, found) : name) as unknown;
  };
  const exported: Record<string, unknown> = {};
  compileFunction(code, ['exports', 'require']).call(undefined, exported, find);
  return exported;
}
