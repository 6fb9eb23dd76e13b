import { migrate, revert } from '../../../src/platform/database/schema/migrate.ts';
import { createTestDatabase, describeEachEngine } from '../../../test/support/databases/databases.ts';
import { driftOf, findingsOf, openWith } from './support/database.ts';
import { generatedClass, type Migration } from './support/generated-classes.ts';
import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands.ts';
import { Project } from './support/project.ts';
import { readFeatureName } from '../src/feature/names.ts';
import { readFeatureFields } from '../src/feature/owned-fields.ts';

const POSTS = readFeatureName('posts');

function read(text: string) {
  return readFeatureFields(`title:string ${text}`, POSTS);
}

describe('A field of links', () => {
  it.each([
    ['tags:refs(tags)', 'post_tags', 'tagId', undefined, '100'],
    ['tagIds:refs(tags,max-items=20)', 'post_tags', 'tagId', undefined, '20'],
    ['relatedPets:refs(pets,min-items=1,max-items=3)', 'post_related_pets', 'relatedPetId', '1', '3'],
  ])('%s has a join table and limits', (text, table, link, minItems, maxItems) => {
    const { fields, owned } = read(text);
    expect(fields.map(({ name }) => name)).toEqual(['title']);
    expect(owned).toMatchObject([
      {
        isLinks: true,
        item: { table },
        options: { minItems, maxItems },
        fields: [{ name: link, type: 'ref' }],
      },
    ]);
  });

  it.each([
    ['tags:refs', 'The field tags must name a feature, as in refs(tags).'],
    ['tags:refs(max-items=3)', 'The field tags must name a feature, as in refs(tags).'],
    ['tags:refs(tags)[]', 'The field tags is an array by itself: write tags:refs(tags).'],
    [
      'tags:refs(tags,unique)',
      '"unique" is not an option of the field tags: refs takes min-items, max-items, description.',
    ],
    [
      'tags:refs(tags,set)',
      '"set" is not an option of the field tags: refs takes min-items, max-items, description. For a list by it write a query of your own, which joins the table post_tags.',
    ],
    [
      'tags:refs(tags,max-items=101)',
      'The option max-items of the field tags must be at most 100: for more, make a module of the links, with a ref to each side.',
    ],
    [
      'tags:refs(tags,min-items=1)?',
      'The field tags cannot be optional and have min-items: an array that is left out is empty.',
    ],
    ['title:refs(tags)', 'The field title is declared twice.'],
    [
      'posts:refs(pets)',
      'The field posts needs another name, such as relatedPosts: postId is the row that has the links.',
    ],
    [
      'related:refs(posts)',
      'The field related refers to posts themselves: generate them without it, then add it by hand (docs/day-two.md).',
    ],
    [
      'parts:object(tags:refs(tags))[]',
      'The field tags holds links, which get a table of their own: only a feature without --parent accepts refs, and not within an object.',
    ],
  ])('cannot be %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('A module with links', () => {
  const project = new Project();
  const migrations: Migration[] = [];
  let entities: Function[];

  beforeAll(async () => {
    const before = project.sources();
    const fields = 'name:string(max=40,unique) fans:refs(pets,max-items=20) models:refs(pets)?';
    await succeed(project, 'feature', 'sculptors', '--fields', fields);
    await expectFormatted(project, changed(project, before));
    migrations.push(generatedClass(project, /create-sculptors\.ts$/) as Migration);
    entities = ['sculptor', 'sculptor-fan', 'sculptor-model'].map((name) =>
      generatedClass(project, new RegExp(`/${name}\\.entity\\.ts$`)),
    );
  });

  it('has their ids in entity and DTO, and its tests add what they refer to', async () => {
    expect(project.read('src/sculptors/sculptor.entity.ts')).toContain(
      "@OneToMany('SculptorModel', 'sculptor', { cascade: true })\n  models!: bigint[];",
    );
    expect(project.read('src/sculptors/dto/new-sculptor.dto.ts')).toMatch(
      /isArray: true,\s+maxItems: 100,\s+uniqueItems: true,\s+default: \[\],\s+\}\)\s+models\?: bigint\[\];/,
    );
    const spec = project.read('src/sculptors/sculptors.spec.ts');
    expect(spec).toContain("it('refuses models of which one does not exist or is given twice'");
    expect(spec).not.toMatch(/\.\.\.newSculptor\b(?!\()/);
  });

  it('is refused with the remedy when there is nothing to link with', async () => {
    await expectRefusal(
      project,
      ['feature', 'smiths', '--fields', 'name:string tools:refs(hammers)?'],
      'The field tools refers to hammers, but no feature of that name has an entity with a @GeneratedInt64Key.',
    );
  });

  describeEachEngine('has migrations', (engine) => {
    it('that make what the entities declare, and take it back', async () => {
      const database = await createTestDatabase(engine);
      const dataSource = await openWith(database.url, entities, migrations);
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
      await revert(dataSource);
      expect(await driftOf(dataSource)).not.toEqual([]);
      await dataSource.destroy();
      await database.drop();
    });
  });

  it('has migrations that hurt nothing that serves', async () => {
    expect(await findingsOf(entities, migrations)).toEqual([]);
  });
});
