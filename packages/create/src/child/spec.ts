import ts from 'typescript';
import { nodesOf } from '../text/sources.ts';
import type { Child } from './child.ts';

/** The path of a child's collection, as the document has it. */
export function childPath({ names, parent }: Pick<Child, 'names' | 'parent'>): string {
  return `/${parent.plural.kebab}/{${parent.idParameter}}/${names.plural.kebab}`;
}

/**
 * Writes the tests of a child, for the operations it serves.
 *
 * @param model the tests of the same module without its parent, which have a sample
 * @param alone all files of the module without its parent
 */
export function specOf(
  { names, parent }: Child,
  model: ts.SourceFile,
  alone: ReadonlyMap<string, string>,
): string {
  const { singular, plural, withArticle, errorPrefix } = names;
  const controller = alone.get(`src/${plural.kebab}/${plural.kebab}.controller.ts`) ?? '';
  const serves = (name: string) => controller.includes(`${name}(`);
  const [literal] = sampleIn(model, `new${singular.pascal}`);
  const unique = uniqueOf(model, `new${singular.pascal}`);
  const sample = unique ? `await new${singular.pascal}()` : (literal?.getText() ?? '{}');
  const id = parent.idParameter;
  const path = childPath({ names, parent });
  const missing = `{ code: '${parent.errorPrefix}_not_found', status: 404 }`;
  const create = serves(`create${singular.pascal}`);
  return `import { addSample, describeEachEngine, startTestService, type TestService } from '@petstore/platform/testing';
${
  create && unique
    ? `import { samples } from './${plural.kebab}.samples';

/** The tests of every module count from 1. */
const OTHERS = 10_000;
`
    : ''
}
describeEachEngine('${plural.words} of ${parent.plural.words}', (engine) => {
  let service: TestService;
  let ${id}: number;
  let collection: string;${create && unique ? '\n  let count = 0;' : ''}

  beforeAll(async () => {
    service = await startTestService(engine);
    ${id} = await addSample(service, '/${parent.plural.kebab}');
    collection = \`/v1/${parent.plural.kebab}/\${${id}}/${plural.kebab}\`;
  });
  afterAll(() => service.stop());
${
  create && unique
    ? `
  /** Returns a new item with unique values of its own. */
  ${unique.function
    .replace(`'/${plural.kebab}'`, `'${path}'`)
    .replace('(collection) => addSample(service, collection)', '(path) => addSample(service, path)')}
`
    : ''
}${
    create
      ? `
  async function add(path = collection) {
    const sent = ${sample};
    const created = await service.post(path, sent);
    expect(created.status).toBe(201);
    return { sent, created, item: (await created.json()) as { id: number } };
  }

  it('responds with ${withArticle} as it was added, and where it is', async () => {
    const { sent, created, item } = await add();
    expect(item).toEqual({ ...sent, id: item.id, ${id} });
    expect(created.headers.get('location')).toBe(\`\${collection}/\${item.id}\`);
${serves(`get${singular.pascal}`) ? `    expect(await (await service.fetch(\`\${collection}/\${item.id}\`)).json()).toEqual(item);\n` : ''}  });
`
      : ''
  }${
    create && unique
      ? `
  ${unique.refusal.replaceAll(`'/v1/${plural.kebab}'`, 'collection')}
`
      : ''
  }${
    serves(`list${plural.pascal}`) && create
      ? `
  it('lists those of one ${parent.singular.words} only, a page at a time', async () => {
    const another = \`/v1/${parent.plural.kebab}/\${await addSample(service, '/${parent.plural.kebab}')}/${plural.kebab}\`;
    const added = [(await add(another)).item, (await add(another)).item];
    const page = await service.fetch(\`\${another}?limit=1\`);
    expect(await page.json()).toEqual([added[0]]);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(next);
    expect(await (await service.fetch(pathname + search)).json()).toEqual([added[1]]);
  });
`
      : ''
  }${
    serves(`get${singular.pascal}`) && create
      ? `
  it('responds with 404 for one of another ${parent.singular.words}', async () => {
    const { item } = await add();
    const another = await addSample(service, '/${parent.plural.kebab}');
    const refused = await service.fetch(\`/v1/${parent.plural.kebab}/\${another}/${plural.kebab}/\${item.id}\`);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ code: '${errorPrefix}_not_found' });
  });
`
      : ''
  }${
    serves(`delete${singular.pascal}`) && create
      ? `
  it('deletes ${withArticle} for good', async () => {
    const { item } = await add();
    expect((await service.delete(\`\${collection}/\${item.id}\`)).status).toBe(204);
    expect((await service.delete(\`\${collection}/\${item.id}\`)).status).toBe(404);
  });
`
      : ''
  }
  it('responds with 404 for ${parent.withArticle} that is not there', async () => {
    const path = '/v1/${parent.plural.kebab}/999999/${plural.kebab}';
    const missing = [${[
      ...(serves(`list${plural.pascal}`) ? ['await service.fetch(path)'] : []),
      ...(create ? [`await service.post(path, ${sample})`] : []),
      ...(serves(`get${singular.pascal}`) ? ['await service.fetch(`${path}/1`)'] : []),
      ...(serves(`update${singular.pascal}`) ? ['await service.patch(`${path}/1`, {})'] : []),
      ...(serves(`delete${singular.pascal}`) ? ['await service.delete(`${path}/1`)'] : []),
    ].join(', ')}];
    for (const response of missing) expect(await response.json()).toMatchObject(${missing});
  });
});
`;
}

/** The function that gives each item unique values of its own, and the test of these; undefined without unique fields. */
function uniqueOf(model: ts.SourceFile, name: string): { function: string; refusal: string } | undefined {
  const made = nodesOf(model).find((node) => ts.isFunctionDeclaration(node) && node.name?.text === name);
  const refusal = nodesOf(model).find(
    (node) =>
      ts.isExpressionStatement(node) &&
      ts.isCallExpression(node.expression) &&
      node.expression.arguments[0]?.getText() === "'refuses a %s that another one has'",
  );
  return made && refusal && { function: made.getText(), refusal: refusal.getText() };
}

/** The object literals that are assigned to a variable. */
function sampleIn(source: ts.SourceFile, name: string): ts.ObjectLiteralExpression[] {
  return nodesOf(source).flatMap((node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name) return objectOf(node.initializer);
    return ts.isBinaryExpression(node) && node.left.getText() === name ? objectOf(node.right) : [];
  });
}

function objectOf(node: ts.Expression | undefined): ts.ObjectLiteralExpression[] {
  return node && ts.isObjectLiteralExpression(node) ? [node] : [];
}
