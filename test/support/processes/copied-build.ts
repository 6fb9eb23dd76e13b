import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..', '..');

/**
 * Copies what `npm run build` wrote, with all that it needs to run.
 *
 * @param above folder that gets the packages, where they are not in that of the copy
 */
export function copyBuild(project: string, above = project): void {
  // Other services write their compile cache meanwhile.
  const filter = (path: string) => !path.includes('.compile-cache');
  cpSync(join(PROJECT, 'dist'), join(project, 'dist'), { recursive: true, filter });
  cpSync(join(PROJECT, 'package.json'), join(project, 'package.json'));
  cpSync(join(PROJECT, 'packages', 'platform'), join(project, 'packages', 'platform'), { recursive: true });
  linkPackages(join(above, 'node_modules'), project);
}

/** Links the packages of this project; those of its own that a copy has are of the copy, or else its modules would meet two platforms. */
export function linkPackages(packages: string, project: string): void {
  mkdirSync(join(packages, '@petstore'), { recursive: true });
  for (const name of readdirSync(join(PROJECT, 'node_modules'))) {
    if (name !== '@petstore') symlinkSync(join(PROJECT, 'node_modules', name), join(packages, name));
  }
  for (const name of readdirSync(join(PROJECT, 'node_modules', '@petstore'))) {
    const own = join(project, 'packages', name);
    symlinkSync(existsSync(own) ? own : join(PROJECT, 'packages', name), join(packages, '@petstore', name));
  }
}
