import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConsoleAssets } from './assets.service';

describe('The style sheet of the console', () => {
  it('has the rules of every file of `styles`', () => {
    const assets = new ConsoleAssets();
    const [served] = assets.pathOf('console.css').split('/').slice(-1);
    const css = assets.find(served as string)?.body.toString();
    const files = globSync('**/*.css', { cwd: join(__dirname, 'styles') });
    expect(files.length).toBeGreaterThan(5);
    expect(
      files.filter((file) => !css?.includes(readFileSync(join(__dirname, 'styles', file), 'utf8'))),
    ).toEqual([]);
  });
});
