/**
 * The steps of `npm run quickstart`: a line before each, with what it does, and one after it, with how long it took. As a program,
 * `node tools/step.mjs <what it does> <script>`, it runs a script of npm as a step.
 */
import { spawnSync } from 'node:child_process';

/** Runs npm as the one that runs this program. @returns its exit code, 130 when a signal has ended it, as shells say it */
export function npm(...args) {
  const { npm_node_execpath: node = process.execPath, npm_execpath: program = '' } = process.env;
  return spawnSync(node, [program, ...args], { stdio: 'inherit' }).status ?? 130;
}

/** @param work returns an exit code, 0 when it has done what it had to @returns that code */
export function step(what, work) {
  process.stdout.write(`${what} ...\n`);
  const begun = performance.now();
  const code = work();
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(`${code === 0 ? 'Done' : 'Failed'} after ${seconds} s.\n`);
  return code;
}

// The Node.js that runs npm may be too old to know `import.meta.main` and `import.meta.filename`.
if (process.argv[1]?.endsWith('step.mjs')) {
  const [what, script] = process.argv.slice(2);
  process.exitCode = step(what, () => npm('run', '-s', script));
}
