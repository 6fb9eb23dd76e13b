import type { Project } from './project.ts';

/** Runs a command that is carried out as a whole. @returns the lines of its output */
export async function succeed(project: Project, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await project.generate(...args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

/** Runs a command that is refused, and writes nothing. */
export async function expectRefusal(
  project: Project,
  args: readonly string[],
  sentence: string,
): Promise<void> {
  const before = project.sources();
  const refused = await project.generate(...args);
  expect(refused).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  expect(project.sources()).toEqual(before);
}

/** The paths of the files that are others than before. */
export function changed(project: Project, before: ReadonlyMap<string, string>): string[] {
  return [...project.sources()].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
}

/** What is written must be formatted; that it compiles, the generator itself sees. */
export async function expectFormatted(project: Project, paths: readonly string[]): Promise<void> {
  const { stdout } = await project.run('prettier/bin/prettier.cjs', '--list-different', ...paths);
  expect(stdout).toBe('');
}
