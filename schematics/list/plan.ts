import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Changes } from '../edit/changes.ts';
import { propertyIn } from '../edit/classes.ts';
import { FIELD_TYPES } from '../feature/field-types.ts';
import { readFieldText } from '../feature/field-text.ts';
import { readFurtherFields } from '../feature/fields.ts';
import { type LinkedField, linkFields } from '../feature/references.ts';
import { editList } from '../field/list-edits.ts';
import type { FieldOptions } from '../field/plan.ts';
import { missingOptions } from '../field/present-field.ts';
import { hasIndexOn } from '../indexes/existing-indexes.ts';
import { addIndex } from '../indexes/plan-index.ts';
import { classOf, type ExistingModule, readModule, storedMembers } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { readPresentField } from '../module/present-field.ts';
import { Rendered } from '../module/rendered.ts';
import { Refusal } from '../refusal.ts';
import { entitySources } from '../module/generated-module.ts';

/** Options of a field that its list has. */
const LIST_OPTIONS = ['range', 'prefix', 'set', 'sort'] as const;

type ListOption = (typeof LIST_OPTIONS)[number];

/**
 * Decides the changes by which the list of a module takes parameters for a field that is there, with the index they need.
 *
 * @throws Refusal
 */
export async function planList(options: FieldOptions, tree: Tree, context: SchematicContext): Promise<Plan> {
  const module = readModule(tree, options.name);
  const text = [options.path, ...(options.words ?? [])].join(' ').trim();
  const { name, asked } = readAsked(text);
  const query = classOf(module, `List${module.plural.pascal}Query`);
  if (!query) {
    throw new Refusal(
      `${module.plural.kebab} have no list with a List${module.plural.pascal}Query: add one to ${module.folder}/dto and the controller by hand first.`,
    );
  }
  const field = readListed(module, name, asked, tree);
  const missing = missingOptions(query.node, field);
  const changes = new Changes(tree);
  if (missing.length > 0) {
    const wanted = withOptions(field, missing);
    const other = linkFields(readFurtherFields('ofNoConsequence:string', module), module, []);
    const rendered = await Rendered.of(module, [...other, wanted], context);
    refuseOther(query.node, wanted);
    editList(changes, module, [wanted], rendered);
    const members = storedMembers(module).filter((member) => member.name === name);
    if (!hasIndexOn(module, name)) addIndex(changes, tree, module, members);
  }
  const unchanged = `The list of ${module.plural.kebab} has ${asked.join(', ')} by ${name} already: nothing was changed.`;
  return finish(changes, module, unchanged);
}

/** Reads a field and the options of its list: `city(prefix,sort)`. @throws Refusal */
function readAsked(text: string): { name: string; asked: ListOption[] } {
  const [, name, details] = /^([A-Za-z]\w*)\(([^()]*)\)$/.exec(text) ?? [];
  const given = (details ?? '').split(',').map((each) => each.trim());
  if (name === undefined || given.join() === '') {
    throw new Refusal(
      `${JSON.stringify(text)} is not a field with what its list is to have: write one, as in city(prefix,sort), of ${LIST_OPTIONS.join(', ')}.`,
    );
  }
  const unknown = given.find((each) => !isListOption(each));
  if (unknown !== undefined) {
    throw new Refusal(
      `${JSON.stringify(unknown)} is not an option of a list: choose from ${LIST_OPTIONS.join(', ')}.`,
    );
  }
  return { name, asked: LIST_OPTIONS.filter((each) => given.includes(each)) };
}

function isListOption(text: string): text is ListOption {
  return (LIST_OPTIONS as readonly string[]).includes(text);
}

/** The field with the options that are asked for. @throws Refusal when its type does not take them */
function readListed(
  module: ExistingModule,
  name: string,
  asked: readonly ListOption[],
  tree: Tree,
): LinkedField {
  const present = readPresentField(module, name);
  const known: readonly string[] = present.isArray ? [] : FIELD_TYPES[present.type].options;
  const unfit = asked.find((option) => !known.includes(option));
  if (unfit !== undefined) {
    const possible = LIST_OPTIONS.filter((option) => known.includes(option)).join(', ');
    throw new Refusal(
      `A list cannot have ${unfit} by ${name}, which is ${readFieldText(present.text).type}${present.isArray ? '[]' : ''}: ${possible === '' ? 'no index of both engines covers it, so filter in a query of your own' : `it can have ${possible}`}.`,
    );
  }
  const [read] = linkFields(readFurtherFields(present.text, module), module, entitySources(tree));
  return withOptions(read as LinkedField, asked);
}

function withOptions(field: LinkedField, asked: readonly ListOption[]): LinkedField {
  const given = Object.fromEntries(LIST_OPTIONS.map((option) => [option, asked.includes(option)]));
  return { ...field, options: { ...field.options, ...given } };
}

/** Refuses a parameter of the field's own name that is there, but takes one value. */
function refuseOther(query: Parameters<typeof propertyIn>[0], { name, options }: LinkedField): void {
  if (!options.set || !propertyIn(query, name)) return;
  throw new Refusal(
    `The list takes one ${name} already: let its parameter take several by hand, with isArray: true and the type ${name}?: …[].`,
  );
}
