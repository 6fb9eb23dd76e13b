import { capitalized } from '../text/spelling.ts';
import { handlerOf, inWords, type Operation, pathOf } from './operation.ts';

export function handlerCode(operation: Operation): string {
  const { module, spelling, method, body, hasPrecondition, isIdempotent } = operation;
  const { plural, singular, idParameter } = module;
  const isRead = method === 'get';
  const words = capitalized(inWords(operation));
  const parameters = [
    `@Int64Param('${idParameter}', ${singular.pascal}NotFoundError, 'Identifier of the ${singular.words}.') ${idParameter}: bigint`,
    ...(body ? [`@Body() body: ${body.dto}`] : []),
    ...(hasPrecondition ? ['@IfMatch() ifMatch: Precondition'] : []),
    ...(isIdempotent ? ['@Once() once: Once'] : []),
  ];
  const given = [idParameter, ...(body ? ['body'] : []), ...(hasPrecondition ? ['ifMatch'] : [])];
  const work = `this.${plural.camel}.${spelling.camel}(${given.join(', ')})`;
  return `@${capitalized(method)}('${pathOf(operation)}')${method === 'post' ? '\n@HttpCode(200)' : ''}
@RequireScopes('${plural.kebab}:${isRead ? 'read' : 'write'}')
@ApiOperation({ summary: '${words}', description: '${capitalized(inWords(operation, `one ${singular.words}`))}.' })
@OkResponse(${singular.pascal}Dto, 'The ${singular.words}${isRead ? '' : ' as it is now'}.')
@ErrorResponse(${singular.pascal}NotFoundError, 'No ${singular.words} has this identifier.')
${handlerOf(operation)}(
  ${parameters.join(',\n  ')},
): Promise<${singular.pascal}Dto> {
  return ${isIdempotent ? `once(() => ${work})` : work};
}`;
}

export function serviceCode({ module, spelling, method, body, hasPrecondition }: Operation): string {
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
  const parameters = [
    'id: bigint',
    // No rule reads the body yet.
    ...(body ? [`_body: ${body.dto}`] : []),
    ...(hasPrecondition ? ['ifMatch = Precondition.NONE'] : []),
  ];
  return `/** @throws ${singular.pascal}NotFoundError${hasPrecondition ? ' or PreconditionFailedError' : ''} */
${spelling.camel}(${parameters.join(', ')}): Promise<${singular.pascal}Dto> {
  return this.database.transaction(async () => {
    const ${singular.camel} = await this.${plural.camel}.findOneForUpdate(id);
    ${missing}${hasPrecondition ? `\n    ifMatch.check(toDto(${singular.camel}));` : ''}
    // Change here what the operation is about${body ? ', by what the body says' : ''}.
    const changed = toDto(await this.${plural.camel}.update(${singular.camel}));
    this.events.publish(new ${singular.pascal}Updated(changed));
    return changed;
  });
}`;
}
