import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { CURSOR_PATTERN, MAX_CURSOR_LENGTH } from '../../values/cursor';
import { FIELD_RULE } from '../../validation/dto-members';
import { IntegerParameter } from '../../validation/parameters';
import { DEFAULT_LIMIT } from './default-limit';

/** The paging parameters of every list; a list's own DTO adds its filters. */
export class PageQuery {
  @IntegerParameter({
    description: 'Maximum number of items to return.',
    minimum: 1,
    maximum: 100,
    default: DEFAULT_LIMIT,
  })
  limit!: number;

  @ApiProperty({
    description:
      'Where to continue: taken from the `next` target of the Link header, together with the same filters.',
    required: false,
    pattern: CURSOR_PATTERN,
    maxLength: MAX_CURSOR_LENGTH,
  })
  // Checked when it is read: any fault of it is `invalid_cursor`.
  @ValidateBy({ name: FIELD_RULE, validator: { validate: () => true } })
  cursor?: string;
}
