import { decoratorName, decoratorsOf, propertyIn } from '../edit/classes.ts';
import { boundsOf } from '../feature/list-parameters.ts';
import type { LinkedField } from '../feature/references.ts';
import { classOf, type ExistingModule } from '../module/existing-module.ts';
import { Refusal } from '../refusal.ts';
import { sortCall } from './list-edits.ts';

/**
 * Refuses an existing field that lacks options of its list or its index: these are added by hand.
 *
 * @throws Refusal
 */
export function refuseMore(module: ExistingModule, field: LinkedField): void {
  const { plural, entity } = module;
  const { name, options } = field;
  if (!propertyIn(entity.node, name)) return;
  const there = `The field ${name} of ${plural.kebab} already exists`;
  if (options.unique && !isUnique(module, name)) {
    throw new Refusal(`${there} and is not unique: docs/day-two.md says how to make it so.`);
  }
  const query = classOf(module, `List${plural.pascal}Query`);
  const missing = query ? missingOptions(query.node, field) : [];
  if (query && missing.length > 0) {
    throw new Refusal(
      `${there}, and its list has no ${missing.join(', ')} by it: docs/day-two.md says how to add them.`,
    );
  }
}

/**
 * Refuses to make a field personal that is there already.
 *
 * @throws Refusal
 */
export function refusePersonal(module: ExistingModule, { name, options }: LinkedField): void {
  if (!options.personal) return;
  const { singular, plural } = module;
  const dto = [`New${singular.pascal}Dto`, `${singular.pascal}Dto`]
    .flatMap((each) => classOf(module, each) ?? [])
    .find(({ node }) => propertyIn(node, name));
  if (!dto || propertyIn(dto.node, name)?.getText().includes('isPersonal: true')) return;
  throw new Refusal(
    `The field ${name} of ${plural.kebab} already exists and is not personal: add isPersonal: true to it in ${dto.path}.`,
  );
}

/** True if the values of a field alone must be unique. */
function isUnique({ entity }: ExistingModule, name: string): boolean {
  return decoratorsOf(entity.node)
    .filter((each) => decoratorName(each) === 'Index')
    .some((each) => {
      const text = each.getText().replaceAll(/\s/g, '');
      return text.includes(`['${name}']`) && text.includes('unique:true');
    });
}

/** Options of a field that the query of a list lacks. */
function missingOptions(
  query: Parameters<typeof propertyIn>[0],
  field: LinkedField,
): ('range' | 'prefix' | 'set' | 'sort')[] {
  const { name, options } = field;
  const sort = propertyIn(query, 'sort');
  const sorts = sort ? (sortCall(sort)?.arguments ?? []) : [];
  const has = {
    range: boundsOf(field).every(([, parameter]) => propertyIn(query, parameter)),
    prefix: propertyIn(query, `${name}Prefix`) !== undefined,
    set: propertyIn(query, name)?.getText().includes('isArray') === true,
    sort: sorts.some((each) => each.getText().slice(1, -1) === name),
  };
  return (['range', 'prefix', 'set', 'sort'] as const).filter((option) => options[option] && !has[option]);
}
