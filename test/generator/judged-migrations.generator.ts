import { findingsOf } from './support/findings';
import { generatedClass, type Migration } from './support/generated-classes';
import { succeed } from './support/module-commands';
import { Project } from './support/project';

describe('A migration of npm run generate', () => {
  const project = new Project();
  const migrations: Migration[] = [];

  async function generate(...args: string[]): Promise<void> {
    await succeed(project, ...args);
    migrations.push(generatedClass(project, /^src\/migrations\/.*\.ts$/) as Migration);
  }

  it('hurts nothing that serves while it adds what a list is asked for', async () => {
    await generate(
      'feature',
      'sculptors',
      '--fields',
      'name:string city:string(max=80) score:integer code:uuid',
    );
    await generate('list', 'sculptors', 'city(prefix,sort)');
    await generate('list', 'sculptors', 'score(range,sort)');
    await generate('list', 'sculptors', 'code(set)');
    expect(migrations).toHaveLength(4);
    expect(await findingsOf([generatedClass(project, /sculptor\.entity\.ts$/)], migrations)).toEqual([]);
  });
});
