import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Module,
  Param,
  Post,
  Query,
  RawBody,
  SerializeOptions,
  StandardSchemaSerializerInterceptor,
  StandardSchemaValidationPipe,
  UnprocessableEntityException,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { ApiConsumes, ApiOkResponse } from '@nestjs/swagger';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import type { Request } from 'express';
import * as v from 'valibot';
import { z } from 'zod';
import { RequireScopes } from '../../src/platform/security/access.decorators';

const Boat = z.object({
  name: z.string().max(20).meta({ description: 'Its name.' }),
  berths: z.int().min(1),
  crew: z.array(z.object({ born: z.int() })).default([]),
  launched: z.string().transform((text) => new Date(text)),
});
const FindBoats = z.object({
  page: z.coerce.number().int().min(1).default(1),
  tags: z.array(z.string()).optional(),
});
const Kayak = v.object({ name: v.pipe(v.string(), v.maxLength(20)), seats: v.pipe(v.number(), v.integer()) });
const FindKayaks = v.object({ colour: v.optional(v.string()), sizes: v.optional(v.array(v.string())) });
const Raft = type({ name: 'string <= 20', logs: '0 < number.integer < 90', 'owner?': 'string | null' });
const FindRafts = type({ 'wood?': "'oak' | 'pine'" });
const ShownBoat = z.object({ id: z.bigint(), name: z.string() });
const Length = z.coerce.number().max(100);

/** As Nest documents it, for parameters of one's own. */
const Harbour = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().headers['x-harbour'],
);

const refusing = new StandardSchemaValidationPipe({
  exceptionFactory: (issues) =>
    new UnprocessableEntityException(`${issues.length} faults.`, { errorCode: 'boat_sinks' }),
});

@RequireScopes('boats:read')
@Controller('boats')
class BoatsController {
  @Post()
  create(@Body({ schema: Boat }) boat: z.infer<typeof Boat>): object {
    return { ...boat, year: boat.launched.getFullYear(), type: typeof boat.berths };
  }

  @Get()
  find(@Query({ schema: FindBoats }) query: z.infer<typeof FindBoats>): object {
    return query;
  }

  @Get('long')
  long(@Query('length', { schema: Length }) length: number): object {
    return { length };
  }

  @Post('named')
  named(@Body('berths', { schema: z.int() }) berths: number): object {
    return { berths };
  }

  @Post('anything')
  anything(@Body({ schema: z.looseObject({}) }) body: object): object {
    return body;
  }

  @Post('bound')
  @UsePipes(StandardSchemaValidationPipe)
  bound(@Body({ schema: Boat }) boat: z.infer<typeof Boat>): object {
    return { year: boat.launched.getFullYear() };
  }

  @Post('strict')
  strict(@Body({ schema: Boat, pipes: [refusing] }) boat: z.infer<typeof Boat>): object {
    return { year: boat.launched.getFullYear() };
  }

  @Post('hooks')
  hooks(@RawBody() bytes: Buffer, @Harbour() harbour: string): object {
    return { bytes: bytes.toString(), harbour };
  }

  @Post('hooks/read')
  hooksRead(@RawBody() bytes: Buffer, @Body({ schema: z.object({ a: z.int() }) }) body: object): object {
    return { length: bytes.length, body };
  }

  @Post('hooks/small')
  hooksSmall(
    @RawBody({ schema: z.instanceof(Buffer).refine(({ length }) => length < 20, 'too many bytes') })
    bytes: Buffer,
  ): object {
    return { length: bytes.length };
  }

  @Post('hooks/text')
  @ApiConsumes('text/plain')
  hooksText(@RawBody() bytes: Buffer): object {
    return { text: bytes.toString() };
  }

  @Get('shown')
  @UseInterceptors(StandardSchemaSerializerInterceptor)
  @SerializeOptions({ schema: ShownBoat })
  @ApiOkResponse({ description: 'A boat.', standardSchema: z.object({ name: z.string() }) })
  shown(): object {
    return { id: 2n ** 60n, name: 'Nest', secret: 'left out' };
  }

  @Get('misshown')
  @UseInterceptors(StandardSchemaSerializerInterceptor)
  @SerializeOptions({ schema: ShownBoat })
  misshown(): object {
    return { id: 'secret' };
  }

  @Get(':id')
  findOne(@Param('id', { schema: z.coerce.number().int() }) id: number): object {
    return { id };
  }
}

@RequireScopes('boats:read')
@Controller('kayaks')
class KayaksController {
  @Post()
  create(@Body({ schema: toStandardJsonSchema(Kayak) }) kayak: v.InferOutput<typeof Kayak>): object {
    return kayak;
  }

  @Get()
  find(@Query({ schema: FindKayaks }) query: v.InferOutput<typeof FindKayaks>): object {
    return query;
  }
}

@RequireScopes('boats:read')
@Controller('rafts')
class RaftsController {
  @Post()
  create(@Body({ schema: Raft }) raft: typeof Raft.infer): object {
    return raft;
  }

  @Get()
  find(@Query({ schema: FindRafts }) query: typeof FindRafts.infer): object {
    return query;
  }
}

/** Parameters with Standard Schemas, of the three libraries that Nest's documentation names. */
@Module({ controllers: [BoatsController, KayaksController, RaftsController] })
export class SchemasModule {}
