import { createReadStream } from 'node:fs';
import {
  BadRequestException,
  Body,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  Delete,
  type ExceptionFilter,
  Get,
  HttpCode,
  Injectable,
  Module,
  Param,
  ParseArrayPipe,
  type PipeTransform,
  Post,
  Query,
  Res,
  StreamableFile,
  UseFilters,
  UseInterceptors,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { Response } from 'express';
import { from, of } from 'rxjs';
import { PageResponse } from '../../src/platform/http/operations/response.decorators';
import type { Page } from '../../src/platform/database/statements/page';
import { pageOf, pageWindow } from '../../src/platform/database/statements/page';
import { PageQuery } from '../../src/platform/http/request/page-query';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { Int64Field, StringField } from '../../src/platform/validation/fields';

interface Thing {
  readonly a: number;
}

@Catch()
class FaultyFilter implements ExceptionFilter {
  catch(): never {
    throw new Error('The filter is at fault, too.');
  }
}

class PlainQuery {
  q?: string;
}

class ListQuery {
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];
}

class PagesQuery extends PageQuery {
  @IsArray()
  tags!: string[];
}

class TagDto {
  @Int64Field({ description: 'Number.', example: 1 })
  id!: bigint;

  @StringField({ description: 'The tags asked for.', example: 'a b' })
  tags!: string;
}

class LineDto {
  @IsString()
  @Transform(({ value }: { value: string }) => value.trim())
  title!: string;
}

class OrderDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines!: LineDto[];
}

class CodeDto {
  @IsInt()
  @Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'number') throw new BadRequestException('code must be a number of mine.');
    return value;
  })
  code!: number;
}

class Secretive {
  readonly id = 1;

  @Exclude()
  readonly secret = 's';

  @Expose()
  get twice(): number {
    return this.id * 2;
  }
}

@Injectable()
class RefusingPipe implements PipeTransform {
  transform(): never {
    throw new BadRequestException('The pipe refuses.');
  }
}

/** What newcomers write. */
@RequireScopes('odd:read')
@Controller('odd')
class OddController {
  @Post('body')
  @HttpCode(200)
  body(@Body() body: Thing): object {
    return { body };
  }

  @Post('orders')
  order(@Body() order: OrderDto): object {
    return order;
  }

  @Post('codes')
  code(@Body() code: CodeDto): object {
    return code;
  }

  @Get('plain-query')
  plainQuery(@Query() query: PlainQuery): object {
    return { ...query };
  }

  @Get('lists')
  lists(@Query() query: ListQuery): object {
    return { ...query };
  }

  @Get('pages')
  @PageResponse(TagDto, 'Tags', 'Tags by number.')
  pages(@Query() query: PagesQuery): Page<TagDto> {
    const window = pageWindow(query);
    const ids = [1n, 2n, 3n].filter((id) => id > window.after).slice(0, window.limit);
    return pageOf(
      ids.map((id) => ({ id, tags: query.tags.join(' ') })),
      window,
    );
  }

  @Get('ids')
  ids(@Query('ids', new ParseArrayPipe({ items: Number })) ids: number[]): object {
    return { ids };
  }

  @Get('twice')
  twice(@Query('a') a: string, @Query('a') b: string): object {
    return { a, b };
  }

  @Get('values/:kind')
  value(@Param('kind') kind: string): unknown {
    const values: Record<string, unknown> = {
      undefined: undefined,
      null: null,
      text: 'text',
      number: 5,
      big: { id: 9007199254740993n, list: [1n] },
      date: new Date(0),
      observable: of(1, 2),
      promise: Promise.resolve({ a: 1 }),
      array: from([[1, 2]]),
    };
    return values[kind];
  }

  @Get('typed/:id')
  typed(@Param('id') id: number): object {
    return { type: typeof id };
  }

  @Get('refused')
  refused(@Query('x', RefusingPipe) x: string): string {
    return x;
  }

  @Get('faulty-filter')
  @UseFilters(FaultyFilter)
  faultyFilter(): never {
    throw new Error('The handler is at fault.');
  }

  @Get('secretive')
  @UseInterceptors(ClassSerializerInterceptor)
  secretive(): Secretive {
    return new Secretive();
  }

  @Delete('nothing')
  @HttpCode(204)
  nothing(): object {
    return { not: 'sent' };
  }

  @Get('missing-stream')
  missingStream(): StreamableFile {
    return new StreamableFile(createReadStream('/nowhere/at-all'));
  }

  @Get('own-stream')
  ownStream(): StreamableFile {
    const file = new StreamableFile(createReadStream('/nowhere/at-all'));
    return file.setErrorHandler((_error, response) => {
      response.statusCode = 410;
      response.send('gone');
    });
  }

  @Get('missing-file')
  missingFile(@Res() response: Response): void {
    response.sendFile('/nowhere/at-all');
  }

  @Version('2')
  @Get('versioned')
  versioned(): object {
    return { version: 2 };
  }

  @Version(VERSION_NEUTRAL)
  @Get('neutral')
  neutral(): object {
    return { version: null };
  }
}

@Module({ controllers: [OddController] })
export class OddModule {}
