import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliProcess } from '../../cli/support/cli-process';

/** Loaded into the command: writes down by its end which packages it has loaded, and how many threads it has started. */
const WATCH = `
let threads = 0;
process.on('worker', () => (threads += 1));
process.on('exit', () => {
  const names = Object.keys(require.cache).map((file) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]);
  require('node:fs').writeFileSync('loaded.json', JSON.stringify({ threads, packages: names.filter(Boolean) }));
});
`;

/** Packages that no list needs. */
const OTHERS = ['cronstrue', 'fast-json-stringify', 'openid-client', 'pino-pretty'];

describe('A list of the command line', () => {
  const folder = new CliProcess();
  writeFileSync(join(folder.folder, 'watch.cjs'), WATCH);
  const cli = folder.with({ NODE_OPTIONS: '--require ./watch.cjs' });

  it.each([['pets'], ['keys'], ['requests']])(
    'of %s starts no thread, and loads no package for what it does not do',
    async (name) => {
      expect(await folder.run('db', 'migrate')).toMatchObject({ code: 0 });
      expect(await cli.run(name, 'list')).toMatchObject({ code: 0 });
      const { threads, packages } = JSON.parse(readFileSync(join(cli.folder, 'loaded.json'), 'utf8')) as {
        threads: number;
        packages: string[];
      };
      expect(packages).toContain('typeorm');
      expect({ threads, others: OTHERS.filter((each) => packages.includes(each)) }).toEqual({
        threads: 0,
        others: [],
      });
    },
  );
});
