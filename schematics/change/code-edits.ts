import ts from 'typescript';
import { propertyIn } from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import { memberIn, originOf } from '../edit/literals.ts';
import { shapeOf } from '../field/class-edits.ts';
import { returnedByToDto, storedLiterals, withOrigin } from '../field/service-edits.ts';
import { classOf, type ExistingModule } from '../module/existing-module.ts';
import type { PresentField } from '../module/present-field.ts';
import type { Rendered } from '../module/rendered.ts';
import { nodesOf } from '../text/sources.ts';

/** Options of a DTO's decorator that a change sets, or removes. */
const RULES = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'minItems',
  'maxItems',
  'default',
  'optional',
];

/**
 * Gives the decorator of a field in its DTO the options that the templates give it now; all others stay as they are.
 *
 * @param kept options of which the present value stays
 * @returns what is different, for people
 */
export function editOptions(
  changes: Changes,
  { name, property, options }: PresentField,
  wanted: ts.ObjectLiteralExpression,
  kept: readonly string[],
): string[] {
  const changed: string[] = [];
  const names = [...RULES, 'description', 'example'].filter((each) => !kept.includes(each));
  const texts = options.properties.flatMap((member) => {
    const option = member.name?.getText() ?? '';
    const given = memberIn(wanted, option);
    if (!names.includes(option) || (given && shapeOf(given) === shapeOf(member))) return [textOf(member)];
    changed.push(`${option} ${valueOf(member)} -> ${given ? valueOf(given) : 'none'}`);
    return given ? [given.getText()] : [];
  });
  for (const option of names) {
    const given = memberIn(wanted, option);
    if (!given || memberIn(options, option)) continue;
    texts.push(given.getText());
    changed.push(`${option} none -> ${valueOf(given)}`);
  }
  if (changed.length === 0) return [];
  const edit = changes.edit(property.path);
  const end = property.source.text.slice(options.properties.end, options.end - 1);
  edit.replace(options, `{${texts.join(',')}${texts.length > 0 && end.trim() !== '' ? `,${end}` : end}}`);
  const { questionToken, exclamationToken } = property.node;
  const mayBeLeftOut = memberIn(wanted, 'default') ?? memberIn(wanted, 'optional');
  if (exclamationToken && mayBeLeftOut) edit.replace(exclamationToken, '?');
  if (questionToken && !mayBeLeftOut) edit.replace(questionToken, '!');
  return [`${name}: ${changed.join(', ')}`];
}

/** A member with the comments before it. */
function textOf(member: ts.ObjectLiteralElementLike): string {
  return member.getFullText();
}

function valueOf(member: ts.ObjectLiteralElementLike): string {
  return ts.isPropertyAssignment(member) ? member.initializer.getText() : member.getText();
}

/** Options of the decorator of a field in the body of a creation, as the templates write it. */
export function writtenOptions(
  rendered: Rendered,
  { singular }: ExistingModule,
  name: string,
): ts.ObjectLiteralExpression {
  const dto = classOf(rendered, `New${singular.pascal}Dto`);
  const property = dto && propertyIn(dto.node, name);
  const literals = property ? nodesOf(property).filter((node) => ts.isObjectLiteralExpression(node)) : [];
  const options = literals.find((node) => memberIn(node, 'description'));
  if (!options) throw new Error(`The templates do not generate a field ${name}.`);
  return options;
}

/** Outputs of the templates for a field as it is to be, and as it is. */
export interface Outputs {
  readonly after: Rendered;
  readonly before: Rendered;
}

/** A place in the service where members are read from another object. */
interface Place {
  readonly find: (source: ts.SourceFile) => ts.ObjectLiteralExpression[];
  /** Description of it, for people. */
  readonly words: string;
}

/** Stores another default: the member of the literals of new rows, where it is as the templates wrote it. */
export function editStored(changes: Changes, module: ExistingModule, name: string, outputs: Outputs): void {
  const place = { find: storedLiterals, words: `where a new ${module.singular.words} is stored` };
  editMember(changes, module, name, place, outputs);
}

/** Returns a member otherwise in the DTO, where it is as the templates wrote it. */
export function editReturned(changes: Changes, module: ExistingModule, name: string, outputs: Outputs): void {
  const place = {
    find: returnedByToDto,
    words: `where a ${module.singular.words} is turned into its DTO`,
  };
  editMember(changes, module, name, place, outputs);
}

function editMember(
  changes: Changes,
  module: ExistingModule,
  name: string,
  { find, words }: Place,
  { after, before }: Outputs,
): void {
  const { plural } = module;
  const written = (rendered: Rendered) => {
    const source = rendered.file(`/${plural.kebab}.service.ts`);
    const [literal] = find(source);
    return { source, literal, member: literal && memberIn(literal, name) };
  };
  const [next, former] = [written(after), written(before)];
  if (!next.member || !former.member || shapeOf(next.member) === shapeOf(former.member)) return;
  const service = classOf(module, `${plural.pascal}Service`);
  const path = service?.path ?? `${module.folder}/${plural.kebab}.service.ts`;
  const origin = originOf(next.literal as ts.ObjectLiteralExpression);
  const members = (service ? find(service.source) : []).flatMap((literal) => {
    const member = memberIn(literal, name);
    const text = (each: ts.Node) => withOrigin(each.getText(), origin, originOf(literal));
    return member
      ? [{ member, next: text(next.member as ts.Node), former: text(former.member as ts.Node) }]
      : [];
  });
  for (const each of members) {
    const present = plain(each.member.getText());
    if (present === plain(each.next)) continue;
    if (present !== plain(each.former)) {
      changes.leaveByHand(path, words, [`${each.next},`]);
      continue;
    }
    const edit = changes.edit(path);
    edit.replace(each.member, each.next);
    importWhatIsUsed(edit, [next.member], next.source);
  }
  if (members.length === 0) changes.leaveByHand(path, words, [`${next.member.getText()},`]);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
