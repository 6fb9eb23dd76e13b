import { delimiter, join, resolve } from 'node:path';
import { calledAs, calledBeside, withCalls } from './called-as';

describe('The name by which a person has called the command line', () => {
  it.each([
    ['/usr/local/bin/petstore', undefined, 'petstore'],
    [resolve('dist/src/cli.js'), 'petstore', 'npm run -s petstore --'],
    [resolve('dist/src/cli.js'), 'start', 'node dist/src/cli.js'],
    [resolve('dist/src/cli.js'), undefined, 'node dist/src/cli.js'],
    [resolve('node_modules/.bin/petstore'), undefined, join('node_modules', '.bin', 'petstore')],
    [resolve('node_modules/.bin/petstore'), 'npx', 'npx petstore'],
  ])('is found from the path %s and the script %s', (entry, script, call) => {
    expect(calledAs(entry, script, ['/usr/bin', '/usr/local/bin'].join(delimiter))).toBe(call);
  });

  it.each([
    ['production', undefined, 'petstore'],
    ['production', 'start', 'npm run -s petstore --'],
    ['development', undefined, 'npm run -s petstore --'],
  ])('is guessed in the service itself: %s, by the script %s', (nodeEnv, script, call) => {
    expect(calledBeside(nodeEnv, script)).toBe(call);
  });

  it.each([
    ['Usage: petstore keys [options]', 'Usage: node cli.js keys [options]'],
    ['Usage: petstore [options] [command]', 'Usage: node cli.js [options] [command]'],
    [
      'Examples:\n  petstore pets list\n  PORT=80x petstore config check',
      'Examples:\n  node cli.js pets list\n  PORT=80x node cli.js config check',
    ],
    ['Run "petstore db migrate" first.', 'Run "node cli.js db migrate" first.'],
    ['To undo: petstore pets undo-import 1', 'To undo: node cli.js pets undo-import 1'],
  ])('replaces "petstore" in commands that texts propose: %s', (text, proposed) => {
    expect(withCalls(text, 'node cli.js')).toBe(proposed);
  });

  it.each([
    'Administer the petstore service.',
    'Put petstore into the PATH.',
    'There is no file /srv/petstore data/pets.csv.',
  ])('is not put into text that is not a command: %s', (text) => {
    expect(withCalls(text, 'node cli.js')).toBe(text);
  });
});
