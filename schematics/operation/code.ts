import { capitalized, type Spelling } from '../feature/spelling.ts';
import type { ExistingModule } from '../module/existing-module.ts';

/** Methods of HTTP that an operation can have. A PATCH has a body, which `update` reads. */
export const METHODS = ['get', 'post', 'put', 'delete'] as const;

export type Method = (typeof METHODS)[number];

/** An operation on one of a module. */
export interface Operation {
  readonly module: ExistingModule;
  readonly spelling: Spelling;
  readonly method: Method;
}

/** The handler's name, which is the operation's in the document: `cancelOrder`, `markOrderShipped`. */
export function handlerOf({ module, spelling }: Operation): string {
  const [verb = '', ...others] = spelling.kebab.split('-');
  return `${verb}${module.singular.pascal}${others.map(capitalized).join('')}`;
}

/** Where it is, below the path of the module. */
export function pathOf({ module, spelling }: Operation): string {
  return `:${module.idParameter}/${spelling.kebab}`;
}

/** `cancel an order`, `mark an order shipped`. */
function inWords({ module, spelling }: Operation, object = module.withArticle): string {
  const [verb = '', ...others] = spelling.kebab.split('-');
  return [verb, object, ...others].join(' ');
}

export function handlerCode(operation: Operation): string {
  const { module, spelling, method } = operation;
  const { plural, singular, idParameter } = module;
  const isRead = method === 'get';
  const words = capitalized(inWords(operation));
  return `@${capitalized(method)}('${pathOf(operation)}')${method === 'post' ? '\n@HttpCode(200)' : ''}
@RequireScopes('${plural.kebab}:${isRead ? 'read' : 'write'}')
@ApiOperation({ summary: '${words}', description: '${capitalized(inWords(operation, `one ${singular.words}`))}.' })
@OkResponse(${singular.pascal}Dto, 'The ${singular.words}${isRead ? '' : ' as it is now'}.')
@ErrorResponse(${singular.pascal}NotFoundError, 'No ${singular.words} has this identifier.')
${handlerOf(operation)}(
  @Int64Param('${idParameter}', ${singular.pascal}NotFoundError, 'Identifier of the ${singular.words}.') ${idParameter}: bigint,
): Promise<${singular.pascal}Dto> {
  return this.${plural.camel}.${spelling.camel}(${idParameter});
}`;
}

export function serviceCode({ module, spelling, method }: Operation): string {
  const { plural, singular } = module;
  const missing = `if (!${singular.camel}) throw new ${singular.pascal}NotFoundError();`;
  if (method === 'get') {
    return `/** @throws ${singular.pascal}NotFoundError */
async ${spelling.camel}(id: bigint): Promise<${singular.pascal}Dto> {
  const ${singular.camel} = await this.${plural.camel}.findOne(id);
  ${missing}
  return toDto(${singular.camel});
}`;
  }
  return `/** @throws ${singular.pascal}NotFoundError */
${spelling.camel}(id: bigint): Promise<${singular.pascal}Dto> {
  return this.database.transaction(async () => {
    const ${singular.camel} = await this.${plural.camel}.findOneForUpdate(id);
    ${missing}
    // Change here what the operation is about.
    const changed = toDto(await this.${plural.camel}.update(${singular.camel}));
    this.events.publish(new ${singular.pascal}Updated(changed));
    return changed;
  });
}`;
}

export function testCode(operation: Operation): string {
  const { module, spelling, method } = operation;
  const { plural, errorPrefix } = module;
  const options = method === 'get' ? '' : `, { method: '${method.toUpperCase()}' }`;
  return `it('can ${inWords(operation)} that is there, and no other', async () => {
    const id = await addSample(service, '/${plural.kebab}');
    const done = await service.fetch(\`/v1/${plural.kebab}/\${id}/${spelling.kebab}\`${options});
    expect(done.status).toBe(200);
    expect(await done.json()).toMatchObject({ id });
    const missing = await service.fetch('/v1/${plural.kebab}/999999/${spelling.kebab}'${options});
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ code: '${errorPrefix}_not_found' });
  });`;
}
