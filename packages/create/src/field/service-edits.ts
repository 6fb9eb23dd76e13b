import type ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import {
  addMember,
  callsOf,
  functionIn,
  literalsOf,
  memberIn,
  originOf,
  returnedLiterals,
} from '../edit/literals.ts';
import type { NamedField } from './class-edits.ts';
import { classOf, type ExistingModule } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';

/** An object literal of the service with a member for each field. */
interface Place {
  readonly name: string;
  readonly find: (source: ts.SourceFile) => ts.ObjectLiteralExpression[];
}

/** Lets the service store, return and filter by new fields. */
export function editService(
  changes: Changes,
  module: ExistingModule,
  fields: readonly NamedField[],
  rendered: Rendered,
): void {
  const { plural, singular } = module;
  const model = rendered.file(`/${plural.kebab}.service.ts`);
  const service = classOf(module, `${plural.pascal}Service`);
  const path = service?.path ?? `${module.folder}/${plural.kebab}.service.ts`;
  const places: Place[] = [
    { name: `where a new ${singular.words} is stored`, find: storedLiterals },
    { name: `where a ${singular.words} is turned into its DTO`, find: returnedByToDto },
    { name: 'where the list is read', find: filtersOfList },
  ];
  for (const { name, find } of places) {
    const written = membersOf(find(model), fields);
    const origin = written[0] && originOf(written[0].parent as ts.ObjectLiteralExpression);
    const literals = service ? find(service.source) : [];
    for (const literal of literals) {
      const edit = changes.edit(path);
      for (const member of written) {
        addMember(edit, literal, withOrigin(member.getText(), origin, originOf(literal)));
      }
      importWhatIsUsed(edit, written, model);
    }
    const texts = written.map((member) => member.getText());
    const isAdded =
      literals.length > 0 || (find === filtersOfList && addFilters(changes, service?.source, texts));
    if (!isAdded && texts.length > 0)
      changes.leaveByHand(
        path,
        name,
        texts.map((text) => `${text},`),
      );
  }
}

/** The object literals that are stored as new rows. */
function storedLiterals(source: ts.SourceFile): ts.ObjectLiteralExpression[] {
  const calls = ['insert', 'insertMany'].flatMap((method) => callsOf(source, method));
  return calls.flatMap((call) => literalsOf(call.arguments[0]));
}

/** The object literals that are returned as DTOs. */
function returnedByToDto(source: ts.SourceFile): ts.ObjectLiteralExpression[] {
  const toDto = functionIn(source, 'toDto');
  return toDto ? returnedLiterals(toDto) : [];
}

function filtersOfList(source: ts.SourceFile): ts.ObjectLiteralExpression[] {
  return callsOf(source, 'findPage').flatMap((call) => literalsOf(call.arguments[1]));
}

function membersOf(
  literals: readonly ts.ObjectLiteralExpression[],
  fields: readonly NamedField[],
): ts.ObjectLiteralElementLike[] {
  const [literal] = literals;
  return fields.flatMap(({ name }) => (literal && memberIn(literal, name)) ?? []);
}

/** Adds filters to a list; one that had no filter so far is read without a condition. */
function addFilters(changes: Changes, source: ts.SourceFile | undefined, texts: readonly string[]): boolean {
  const calls = source ? callsOf(source, 'findPage') : [];
  const query = calls.length === 1 && calls[0]?.arguments.length === 1 ? calls[0].arguments[0] : undefined;
  if (!source || !query) return false;
  const members = texts.map((text) => withOrigin(text, 'query', query.getText()));
  if (texts.length > 0) changes.edit(source.fileName).insert(query.end, `, { ${members.join(', ')} }`);
  return true;
}

/** A member that is read from the same variable as the others. */
function withOrigin(text: string, origin: string | undefined, other: string | undefined): string {
  return origin === undefined || other === undefined
    ? text
    : text.replaceAll(new RegExp(`\\b${origin}\\.`, 'g'), `${other}.`);
}
