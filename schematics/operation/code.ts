import { capitalized } from '../text/spelling.ts';
import { handlerOf, inWords, type Operation, pathOf } from './operation.ts';

export function handlerCode(operation: Operation): string {
  const { module, parent, spelling, method, body, hasPrecondition, isIdempotent } = operation;
  const { plural, singular, idParameter } = module;
  const isRead = method === 'get';
  const words = capitalized(inWords(operation));
  const parameters = [
    ...(parent
      ? [
          `@Int64Param('${parent.idParameter}', ${parent.singular.pascal}NotFoundError, 'Identifier of the ${parent.singular.words}.') ${parent.idParameter}: bigint`,
        ]
      : []),
    `@Int64Param('${idParameter}', ${singular.pascal}NotFoundError, 'Identifier of the ${singular.words}.') ${idParameter}: bigint`,
    ...(body ? [`@Body() body: ${body.dto}`] : []),
    ...(hasPrecondition ? ['@IfMatch() ifMatch: Precondition'] : []),
    ...(isIdempotent ? ['@Once() once: Once'] : []),
  ];
  const given = [
    idParameter,
    ...(body ? ['body'] : []),
    ...(hasPrecondition ? ['ifMatch'] : []),
    ...(parent ? [parent.idParameter] : []),
  ];
  const work = `this.${plural.camel}.${spelling.camel}(${given.join(', ')})`;
  return `@${capitalized(method)}('${pathOf(operation)}')${method === 'post' ? '\n@HttpCode(200)' : ''}
@RequireScopes('${plural.kebab}:${isRead ? 'read' : 'write'}')
@ApiOperation({ summary: '${words}', description: '${capitalized(inWords(operation, `one ${singular.words}`))}.' })
@OkResponse(${singular.pascal}Dto, 'The ${singular.words}${isRead ? '' : ' as it is now'}.')
@ErrorResponse(${singular.pascal}NotFoundError, 'No ${singular.words} has this identifier.')${parent ? `\n@ErrorResponse(${parent.singular.pascal}NotFoundError, 'No ${parent.singular.words} has this identifier.')` : ''}
${handlerOf(operation)}(
  ${parameters.join(',\n  ')},
): Promise<${singular.pascal}Dto> {
  return ${isIdempotent ? `once(() => ${work})` : work};
}`;
}

export function serviceCode({ module, parent, spelling, method, body, hasPrecondition }: Operation): string {
  const { plural, singular } = module;
  const one = singular.camel;
  const id = parent?.idParameter;
  const isMissing = id === undefined ? `!${one}` : `!${one} || (${id} ?? ${one}.${id}) !== ${one}.${id}`;
  const missing = `if (${isMissing}) throw new ${singular.pascal}NotFoundError();`;
  const ofParent = parent ? `if (${id} !== undefined) await this.${parent.plural.camel}.get(${id});\n` : '';
  const given = id === undefined ? [] : [`${id}?: bigint`];
  const errors = [
    ...(parent ? [`${parent.singular.pascal}NotFoundError`] : []),
    `${singular.pascal}NotFoundError`,
    ...(hasPrecondition ? ['PreconditionFailedError'] : []),
  ];
  const throws = [errors.slice(0, -1).join(', '), errors.at(-1)].filter((each) => each !== '').join(' or ');
  if (method === 'get') {
    return `/** @throws ${throws} */
async ${spelling.camel}(${['id: bigint', ...given].join(', ')}): Promise<${singular.pascal}Dto> {
  ${ofParent}const ${one} = await this.${plural.camel}.findOne(id);
  ${missing}
  return toDto(${one});
}`;
  }
  const parameters = [
    'id: bigint',
    // No rule reads the body yet.
    ...(body ? [`_body: ${body.dto}`] : []),
    ...(hasPrecondition ? ['ifMatch = Precondition.NONE'] : []),
    ...given,
  ];
  return `/** @throws ${throws} */
${spelling.camel}(${parameters.join(', ')}): Promise<${singular.pascal}Dto> {
  return this.database.transaction(async () => {
    ${ofParent}const ${one} = await this.${plural.camel}.findOneForUpdate(id);
    ${missing}${hasPrecondition ? `\n    ifMatch.check(toDto(${one}));` : ''}
    // Change here what the operation is about${body ? ', by what the body says' : ''}.
    const changed = toDto(await this.${plural.camel}.update(${one}));
    this.events.publish(new ${singular.pascal}Updated(changed));
    return changed;
  });
}`;
}
