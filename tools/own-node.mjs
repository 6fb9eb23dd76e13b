/**
 * Run by npm before `npm start`: says what to do after an installation that has not come to its end, which leaves npm scripts a
 * Node.js that may be too old for the flags of the start. Each Node.js that runs npm runs this.
 */
import { existsSync, readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const needed = Number(/\d+/.exec(engines.node));
const found = process.versions.node;

const fault =
  parseInt(found, 10) < needed
    ? `The service needs Node.js ${needed} or newer, and npm scripts find ${found}: the installation of the packages, which brings Node.js, has not ended. Run npm ci.`
    : !existsSync('dist/src/main.js')
      ? 'The service is not built. Run npm run build.'
      : undefined;

if (fault) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
