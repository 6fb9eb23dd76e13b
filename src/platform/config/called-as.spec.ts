import { delimiter, join, resolve } from 'node:path';
import { calledAs, calledBeside, petstore, PROGRAM, rememberCall } from './called-as';

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

  it('is in texts that propose a command', () => {
    expect(`Run "${petstore()} db migrate".`).toBe('Run "petstore db migrate".');
    rememberCall('npx petstore');
    expect(`Run "${petstore()} db migrate".`).toBe('Run "npx petstore db migrate".');
    rememberCall(PROGRAM);
  });
});
