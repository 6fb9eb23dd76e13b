import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import {
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  type ExceptionFilter,
  type ArgumentsHost,
  Get,
  Header,
  HttpCode,
  HttpException,
  Injectable,
  type MessageEvent,
  Module,
  type NestInterceptor,
  NotFoundException,
  NotImplementedException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  ServiceUnavailableException,
  Sse,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable, of } from 'rxjs';
import { CacheResponse } from '../../src/platform/http/response/response-cache';
import {
  OkResponse,
  CreatedResponse,
  PageResponse,
} from '../../src/platform/http/operations/response.decorators';
import type { Created } from '../../src/platform/http/response/created';
import type { Page } from '../../src/platform/database/statements/page';
import { pageOf, pageWindow } from '../../src/platform/database/statements/page';
import { PageQuery } from '../../src/platform/http/request/page-query';
import { IfMatch, type Precondition } from '../../src/platform/http/request/precondition';
import { Caller } from '../../src/platform/security/caller.decorator';
import { Public, RequireScopes } from '../../src/platform/security/access.decorators';
import type { Principal } from '../../src/platform/security/principal';
import { Int64Field, StringField } from '../../src/platform/validation/fields';
import { FindBooksDto, NewBookDto, ShelfDto } from './books.dto';

/** Emits `left` when the client of an endless response has gone. */
export const readers = new EventEmitter();

const Language = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().headers['accept-language'],
);

@Injectable()
class OddBooks implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<Request<unknown, unknown, { title?: string }>>();
    return body.title !== 'Odd';
  }
}

@Injectable()
class Wrap implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

class TeapotError extends Error {}

@Catch(TeapotError)
class TeapotFilter implements ExceptionFilter {
  catch(_error: TeapotError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ teapot: true });
  }
}

class PageDto {
  @Int64Field({ description: 'Number.', example: 1 })
  id!: bigint;

  @StringField({ description: 'Of the book.', example: 'nest' })
  book!: string;
}

class ReaderDto {
  @StringField({ description: 'Id of the key that asks.', example: 'key' })
  reader!: string;
}

/** Written as Nest's documentation writes it, but that each route says who may use it. */
@RequireScopes('books:read')
@Controller('books')
class BooksController {
  @Get()
  findAll(@Query() { author }: FindBooksDto): { author: string | null } {
    return { author: author ?? null };
  }

  @Post()
  @UseGuards(OddBooks)
  create(@Body() book: NewBookDto): NewBookDto {
    return book;
  }

  @Post('named')
  named(@Body('title') title: string, @Body('year') year: number): object {
    return { title, year: year + 1 };
  }

  @Post('any')
  @HttpCode(200)
  any(@Body() body: Record<string, unknown>): object {
    return { body, types: Object.values(body).map((value) => typeof value) };
  }

  @Post('shelves')
  shelve(@Body() { shelf }: ShelfDto): object {
    return { shelf };
  }

  @Get('page')
  page(@Query('page', ParseIntPipe) page: number, @Query('size') size?: string): object {
    return { page, size: size ?? null };
  }

  @Get('anything')
  anything(@Query() query: Record<string, unknown>): object {
    return query;
  }

  @Get('mine')
  @CacheResponse()
  @PageResponse(ReaderDto, 'Readers', 'Who asks.')
  mine(@Caller() caller: Principal): Page<ReaderDto> {
    return { items: [{ reader: caller.keyId }] };
  }

  @Get('wrapped')
  @UseInterceptors(Wrap)
  wrapped(@Language() language: string, @Req() { method, originalUrl, query }: Request): object {
    return { language, method, originalUrl, query };
  }

  @Get('file')
  @Header('Content-Disposition', 'attachment; filename="book.txt"')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['Once ', 'upon a time']), { type: 'text/plain' });
  }

  @Sse('events')
  events(): Observable<MessageEvent> {
    return of({ data: { page: 1 } }, { data: { page: 2 } });
  }

  @Get('moved')
  @Redirect('/v1/books', 301)
  moved(): void {}

  @Get('passthrough')
  passthrough(@Res({ passthrough: true }) response: Response): object {
    response.cookie('seen', 'yes');
    response.status(203);
    return { passed: true };
  }

  @Get('own')
  own(@Res() response: Response): void {
    response.status(202).send('by hand');
  }

  @Get('read')
  async read(@Req() request: Request): Promise<object> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    return { body: Buffer.concat(chunks).toString() };
  }

  @Get('endless')
  endless(@Req() request: Request, @Res() response: Response): void {
    const pages = setInterval(() => response.write('And then'), 10);
    request.on('close', () => {
      clearInterval(pages);
      readers.emit('left');
    });
    response.write('Once upon a time');
  }

  @Get('teapot')
  @UseFilters(TeapotFilter)
  teapot(): never {
    throw new TeapotError();
  }

  @Get(':book/pages')
  @PageResponse(PageDto, 'BookPages', 'The pages of a book.')
  pages(@Param('book') book: string, @Query() query: PageQuery): Page<PageDto> {
    const all = [1n, 2n, 3n].map((id) => ({ id, book }));
    const window = pageWindow(query);
    return pageOf(all.filter(({ id }) => id > window.after).slice(0, window.limit), window);
  }

  @Get('stock/:stockId')
  @OkResponse(PageDto, 'What is in stock.')
  stock(@Param('stockId') book: string): PageDto {
    return { id: 7n, book };
  }

  @Post('stock/:stockId/sell')
  @CreatedResponse(PageDto, 'It was sold.')
  sell(@Param('stockId') book: string, @IfMatch() ifMatch: Precondition): Promise<Created<PageDto>> {
    ifMatch.check({ id: 7n, book });
    return Promise.resolve({ item: { id: 7n, book }, path: `/books/stock/${book}` });
  }

  @Get('faults/:kind')
  fault(@Param('kind') kind: string): never {
    switch (kind) {
      case 'missing':
        throw new NotFoundException('No book has this title.');
      case 'plain':
        throw new BadRequestException();
      case 'away':
        throw new ServiceUnavailableException('The library is closed.');
      case 'later':
        throw new NotImplementedException();
      case 'odd':
        throw new HttpException({ reason: 'An object of its author.' }, 409);
      default:
        throw new Error('secret');
    }
  }

  @Get(':id')
  findOne(@Param('id', ParseIntPipe) id: number): object {
    return { id };
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id', ParseIntPipe) _id: number): void {}
}

@Public()
@Controller('welcome')
class WelcomeController {
  @Get()
  welcome(): string {
    return 'Welcome!';
  }
}

@Module({ controllers: [BooksController, WelcomeController] })
export class BooksModule {}
