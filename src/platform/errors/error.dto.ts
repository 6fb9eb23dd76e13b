import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The body of every response outside 2xx and 3xx. */
@ApiSchema({
  name: 'Error',
  description: 'What went wrong. Every response outside 2xx and 3xx has this shape.',
})
export class ErrorDto {
  @ApiProperty({ description: 'Machine-readable error code; stable.', example: 'invalid_parameter' })
  code!: string;

  @ApiProperty({
    description: 'One sentence for people, naming the parameter or member at fault.',
    example: 'limit must be a whole number from 1 to 100.',
  })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status code of this response.', example: 400 })
  status!: number;
}
