import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Changes } from '../edit/changes.ts';
import { isValid, isValidArray } from '../feature/field-values.ts';
import { readLinksText, readOwnedText, splitFields } from '../feature/field-text.ts';
import { readFurtherFields } from '../feature/fields.ts';
import { type LinkedField, linkFields } from '../feature/references.ts';
import { editHeritage } from '../field/class-edits.ts';
import type { FieldOptions } from '../field/plan.ts';
import { isUnique, refuseMore, refusePersonal } from '../field/present-field.ts';
import { addTestsOfDefaults, sampleOf } from '../field/spec-edits.ts';
import { MOST_CHARACTERS } from '../indexes/plan-unique.ts';
import { type ExistingModule, readModule } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { type PresentField, readPresentField } from '../module/present-field.ts';
import { refuseRenamed, Steps } from '../module/releases.ts';
import { Rendered } from '../module/rendered.ts';
import { Refusal } from '../refusal.ts';
import { changeValues } from './enum-values.ts';
import { editOptions, editStored, type Outputs, writtenOptions } from './code-edits.ts';
import { changeCheck, type FieldChange } from './database-step.ts';
import { beginRequirement, continueRequirement, makeOptional } from './requirement.ts';
import { editSamples, editValues } from './test-values.ts';
import { entitySources } from '../module/generated-module.ts';

/** Options of the schematic; see `schema.json`. */
export interface ChangeOptions extends FieldOptions {
  /** Value for rows that have none. */
  readonly fill?: string;
}

/**
 * Decides the changes that give a field of a module other limits, another pattern, default, description or example, or have it
 * required or optional.
 *
 * @throws Refusal
 */
export async function planChange(
  options: ChangeOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<Plan> {
  const module = readModule(tree, options.name);
  const text = [options.path, ...(options.words ?? [])].join(' ');
  splitFields(text).forEach(refuseTable);
  const [wanted, second] = readFurtherFields(text, module);
  if (second) {
    throw new Refusal(
      `One field is changed at a time: run this for ${wanted?.name}, then for ${second.name}.`,
    );
  }
  const { field, before, present } = readChange(module, wanted as LinkedField, tree);

  const changes = new Changes(tree);
  const other = linkFields(readFurtherFields('ofNoConsequence:string', module), module, []);
  const render = (each: LinkedField) => Rendered.of(module, [...other, each], context);
  const outputs = { after: await render(field), before: await render(before) };
  const written = writtenOptions(outputs.after, module, field.name);
  const remarks = editOptions(changes, present, written, kept(field, present));
  if (field.options.default !== undefined && before.options.default === undefined) {
    const spec = module.sources.find(({ fileName }) => fileName.endsWith(`/${module.plural.kebab}.spec.ts`));
    const isOfTemplates = spec && sampleOf(spec, `new${module.singular.pascal}`).length > 0;
    if (isOfTemplates)
      addTestsOfDefaults(changes.edit(spec.fileName), module, { fields: [field], owned: [] });
  }
  const steps = new Steps(changes, module, tree, `change ${field.name}`);
  const change = { module, field, before, steps };
  if (field.optional !== before.optional) {
    refuseRenamed(changes, module, field.name, 'either');
    remarks.push(
      ...(field.optional
        ? makeOptional(changes, tree, change, outputs)
        : beginRequirement(changes, change, outputs, options.fill)),
    );
  } else {
    if (options.fill !== undefined) refuseLateFill(module, field);
    changeCode(changes, change, outputs);
    const next = await continueRequirement(changes, tree, change, render);
    if (!next?.isMade) remarks.push(...changeDatabase(changes, tree, change, remarks.length > 0));
    if (next && (next.isMade || remarks.length === 0)) remarks.push(next.remark);
  }
  const unchanged = `${field.name} of ${module.plural.kebab} is like that already: nothing was changed.`;
  return { ...(await finish(changes, module, remarks[0] ?? unchanged)), remarks };
}

/** Brings what the service stores, and the tests, to the new limits and the new default. */
function changeCode(changes: Changes, { module, field, before }: FieldChange, outputs: Outputs): void {
  editHeritage(changes, module, outputs.after, outputs.before);
  editStored(changes, module, field.name, outputs);
  editValues(changes, module, field, before);
  editSamples(changes, module, field.name, outputs.after, outputs.before);
}

/** @param isChanged true if the options of the field are changed */
function changeDatabase(changes: Changes, tree: Tree, change: FieldChange, isChanged: boolean): string[] {
  const { module, field, before } = change;
  const remarks = [...changeValues(changes, tree, change), ...changeCheck(changes, tree, change)];
  const isPatternNew =
    field.options.pattern !== undefined && field.options.pattern !== before.options.pattern;
  if ((isChanged || remarks.length > 0) && (isPatternNew || field.isArray)) {
    remarks.push(
      `No database checks ${field.isArray ? 'the items of arrays' : 'patterns'}: ${module.plural.words} that are stored keep what does not fit.`,
    );
  }
  return remarks;
}

/** Refuses an array that is a table of its own. */
function refuseTable(text: string): void {
  const table = readOwnedText(text) ?? readLinksText(text);
  if (!table) return;
  throw new Refusal(
    `The field ${table.name} is a table of its own, whose limits only the DTO has: change them there by hand.`,
  );
}

/** The field as it is to be, and as it is. @throws Refusal for a change that is not safe in one release */
function readChange(module: ExistingModule, wanted: Parameters<typeof linkFields>[0][number], tree: Tree) {
  const present = readPresentField(module, wanted.name);
  const sources = entitySources(tree);
  refuseOtherType(module, wanted, present);
  const [read] = readFurtherFields(present.text, module);
  const [field, before] = linkFields([wanted, read as LinkedField], module, sources) as [
    LinkedField,
    LinkedField,
  ];
  refuseOtherType(module, field, present, before);
  refuseUnsafe(module, field, before, present);
  refuseMore(module, field);
  refusePersonal(module, field);
  const unique = isUnique(module, field.name);
  if (unique && field.type === 'string' && !(Number(field.options.max) <= MOST_CHARACTERS)) {
    throw new Refusal(
      `The values of ${field.name} of ${module.plural.kebab} are unique, so it needs a max of ${MOST_CHARACTERS} or less: PostgreSQL cannot index longer ones.`,
    );
  }
  const plain = { unique, range: false, prefix: false, set: false, sort: false, access: 'open' } as const;
  return {
    present,
    field: { ...field, options: { ...field.options, ...plain } },
    before: { ...before, options: { ...before.options, ...plain } },
  };
}

function refuseOtherType(
  { plural }: ExistingModule,
  wanted: Pick<LinkedField, 'name' | 'type' | 'isArray' | 'digits' | 'target'>,
  { type, isArray, text }: PresentField,
  before?: LinkedField,
): void {
  const { name } = wanted;
  const isOther =
    wanted.type !== type ||
    wanted.isArray !== isArray ||
    (before &&
      (JSON.stringify(wanted.digits) !== JSON.stringify(before.digits) || wanted.target !== before.target));
  if (isOther) {
    throw new Refusal(
      `The field ${name} of ${plural.kebab} is ${text}, and its type cannot be changed while nodes of the version before serve: add a field of the other type by npm run generate -- field ${plural.kebab} "<name>:${wanted.type}?", and take the values over (docs/schema-changes.md).`,
    );
  }
}

function refuseUnsafe(
  module: ExistingModule,
  field: LinkedField,
  before: LinkedField,
  { access }: PresentField,
): void {
  const { name, options, optional } = field;
  const { plural } = module;
  const isReadOnly = access === 'read-only';
  if (optional !== before.optional) refuseRequirement(module, field, before, isReadOnly);
  if (before.options.default !== undefined && options.default === undefined && !optional) {
    throw new Refusal(
      `Clients add ${plural.words} without ${name} today, so it needs a default: give the present one, default=${before.options.default}, or another.`,
    );
  }
  if (isReadOnly && options.default !== undefined) {
    throw new Refusal(
      `The field ${name} of ${plural.kebab} is read-only: the service decides its value, so change the default where src/${plural.kebab}/${plural.kebab}.service.ts stores it.`,
    );
  }
  if (options.access !== 'open' && options.access !== access) {
    throw new Refusal(
      `The field ${name} of ${plural.kebab} is ${access === 'open' ? 'open to changes' : access}: who may give it is decided by the classes in src/${plural.kebab}/dto, so change it there by hand.`,
    );
  }
}

/** @throws Refusal for a field that cannot become optional or required, or not by this command */
function refuseRequirement(
  module: ExistingModule,
  field: LinkedField,
  before: LinkedField,
  isReadOnly: boolean,
): void {
  const { plural } = module;
  const { name } = field;
  const wanted = field.optional ? 'optional' : 'required';
  if (isReadOnly) {
    throw new Refusal(
      `The field ${name} of ${plural.kebab} is read-only, so the service decides whether it has a value: make it ${wanted} by hand (docs/schema-changes.md).`,
    );
  }
  if (JSON.stringify(rulesOf(field)) !== JSON.stringify(rulesOf(before))) {
    throw new Refusal(
      `The field ${name} of ${plural.kebab} becomes ${wanted} by itself: give it its present limits and values, and change them by a command of its own.`,
    );
  }
}

/** Rule for the values that a field takes. */
function rulesOf({ options: { min, max, pattern, minItems, maxItems }, enum: own }: LinkedField) {
  return { min, max, pattern, minItems, maxItems, values: own?.members.map(({ value }) => value) };
}

function refuseLateFill(module: ExistingModule, { name, optional }: LinkedField): void {
  throw new Refusal(
    `--fill is for the command that has an optional field required, and ${name} of ${module.plural.kebab} ${optional ? 'stays optional' : 'is required already'}: leave it out.`,
  );
}

/** Options of the DTO that stay as they are: what was written for people, unless it is given or no longer true. */
function kept(field: LinkedField, { example: present, access }: PresentField): string[] {
  const { description, example } = field.options;
  const isFitting = present !== undefined && (field.isArray ? isValidArray : isValid)(field, present);
  return [
    ...(description === undefined ? ['description'] : []),
    ...(example === undefined && isFitting ? ['example'] : []),
    ...(access === 'read-only' ? ['default'] : []),
  ];
}
