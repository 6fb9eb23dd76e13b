import { type CodedField, codedField } from '../feature/field-code.ts';
import { type Field, readFields } from '../feature/fields.ts';
import { featureNames } from '../feature/names.ts';
import { linkFields } from '../feature/references.ts';
import { capitalized, spell, wordsOf } from '../text/spelling.ts';
import { Refusal } from '../refusal.ts';

/** The body of an operation. */
export interface OperationBody {
  /** `CancelOrderDto` */
  readonly dto: string;
  /** `cancel-order.dto`: its file in the folder `dto`, without the extension. */
  readonly file: string;
  readonly fields: readonly CodedField[];
}

/**
 * Reads the fields of a body.
 *
 * @param handler the operation's name in the document
 * @throws Refusal
 */
export function readBody(text: string, handler: string): OperationBody {
  if (text.trim() === '') throw new Refusal('A body needs at least one field, as in reason:string?.');
  const spelling = spell(wordsOf(handler));
  const names = featureNames({ singular: spelling, plural: spelling });
  const fields = readFields(text, names);
  fields.forEach(refuseStored);
  return {
    dto: `${spelling.pascal}Dto`,
    file: `${spelling.kebab}.dto`,
    fields: linkFields(fields, names, []).map((field) => codedField(field, 'request')),
  };
}

/** Refuses options of stored fields, for the fields of a body are not stored. */
function refuseStored({ name, type, options }: Field): void {
  if (type === 'ref') {
    throw new Refusal(
      `The field ${name} of a body cannot be a ref: it is not stored, so the database does not check what it refers to. Use int64, and check it in the service.`,
    );
  }
  const { unique, range, prefix, set, sort, access, default: fallback } = options;
  if (!unique && !range && !prefix && !set && !sort && access === 'open' && fallback === undefined) return;
  throw new Refusal(
    `The field ${name} of a body can only have min, max, pattern, min-items, max-items, example and description and be optional: it is not stored.`,
  );
}

/** The class of a body. */
export function bodyCode({ dto, fields }: OperationBody, handler: string, words: string): string {
  const decorators = [...new Set(fields.map(({ code }) => code.field))].sort();
  const enums = fields.flatMap((field) => field.enum ?? []);
  return `import { ApiSchema } from '@nestjs/swagger';
import { ${decorators.join(', ')} } from '../../platform/validation/fields';
${enums.map(({ name, file }) => `import { ${name} } from '../${file}';\n`).join('')}
/** Body of ${handler}. */
@ApiSchema({ name: '${dto.replace(/Dto$/, '')}', description: 'What a client says to ${words}.' })
export class ${dto} {
${fields
  .map(
    ({ name, code, fieldArguments, mayBeLeftOut }) =>
      `  @${code.field}(${fieldArguments})\n  ${name}${mayBeLeftOut ? '?' : '!'}: ${code.typescript};\n`,
  )
  .join('\n')}}
`;
}

/** The enums of a body by their files' names. */
export function bodyEnums({ fields }: OperationBody, handler: string): Map<string, string> {
  return new Map(
    fields.flatMap(({ enum: own, words }) => {
      if (!own) return [];
      const members = own.members.map(({ name, value }) => `  ${name} = '${value}',\n`);
      const comment = `/** ${capitalized(words)} in the body of ${handler}. */`;
      return [[own.file, `${comment}\nexport enum ${own.name} {\n${members.join('')}}\n`]];
    }),
  );
}
