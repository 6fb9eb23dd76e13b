import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import type { PageWindow } from '../../database/entity-table';
import { CURSOR_PATTERN, decodeCursor, encodeCursor, MAX_CURSOR_LENGTH } from '../../values/cursor';
import { type Page, pageOf } from '../response/page';
import { FIELD_RULE } from '../../validation/dto-members';
import { IntegerParameter } from '../../validation/parameters';

/** Position before every identifier the database assigns. */
const START = 0n;

/** The paging parameters of every list; a list's own DTO adds its filters. */
export class PageQuery {
  @IntegerParameter({
    description: 'Maximum number of items to return.',
    minimum: 1,
    maximum: 100,
    default: 20,
  })
  limit!: number;

  @ApiProperty({
    description:
      'Where to continue: taken from the `next` target of the Link header, together with the same filters.',
    required: false,
    pattern: CURSOR_PATTERN,
    maxLength: MAX_CURSOR_LENGTH,
  })
  // Judged when it is read: whatever is wrong with it is `invalid_cursor`.
  @ValidateBy({ name: FIELD_RULE, validator: { validate: () => true } })
  cursor?: string;
}

/**
 * Reads one page in ascending order of identifiers, by keyset: the 10,000th page costs what the first does.
 *
 * @param filter the list's filters in force; a cursor holds only with those it was made with
 * @param read reads the rows of a window
 * @throws InvalidCursorError
 */
export async function readPage<Row extends { readonly id: bigint }>(
  query: PageQuery,
  filter: Readonly<Record<string, string | bigint | boolean | null | undefined>>,
  read: (window: PageWindow) => Promise<Row[]>,
): Promise<Page<Row>> {
  const inForce: Record<string, string> = {};
  for (const name in filter) {
    if (filter[name] !== undefined) inForce[name] = String(filter[name]);
  }
  const after = query.cursor === undefined ? START : decodeCursor(query.cursor, inForce);
  const rows = await read({ after, limit: query.limit + 1 });
  return pageOf(rows, query.limit, (last) => encodeCursor(last.id, inForce));
}
