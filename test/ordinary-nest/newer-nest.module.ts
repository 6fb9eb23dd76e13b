import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Cookies,
  Get,
  Header,
  Injectable,
  type MessageEvent,
  Module,
  QueryMethod,
  Res,
  Search,
  SignedCookies,
  Sse,
  SseSignal,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { interval, map, type Observable } from 'rxjs';
import { Public } from '../../src/platform/security/access.decorators';

/** Signals of the streams of events that were asked for. */
export const signals: AbortSignal[] = [];

@Injectable()
export class Tides {
  now(): string {
    return 'high';
  }
}

@Public()
@Controller('tides')
export class TidesController {
  constructor(
    private readonly tides: Tides,
    private readonly host: HttpAdapterHost,
  ) {}

  @Get('now')
  @Header('x-tide', () => 'high')
  now(): object {
    return { tide: this.tides.now() };
  }

  @Get('login')
  login(@Res({ passthrough: true }) response: Response): object {
    this.host.httpAdapter.setCookie(response, 'ship', 'Nest', { signed: true });
    this.host.httpAdapter.setCookie(response, 'berth', '7', { httpOnly: true });
    return {};
  }

  @Get('who')
  who(@SignedCookies('ship') ship: string | undefined, @Cookies('berth') berth: string): object {
    return { ship: ship ?? null, berth };
  }

  @Get('lines')
  async *lines(): AsyncGenerator<object> {
    yield await Promise.resolve({ hour: 1 });
    yield { hour: 2 };
  }

  @Get('words')
  words(): Readable {
    return Readable.from(['ebb', ' and ', 'flow']);
  }

  @Get('fetched')
  fetched(): globalThis.Response {
    return new globalThis.Response('from afar', { status: 203, headers: { 'x-from': 'afar' } });
  }

  @Get('broken')
  async *broken(): AsyncGenerator<string> {
    yield await Promise.resolve('ebb');
    throw new Error('secret');
  }

  @Sse('events', { maxPendingDataLength: 10_000 })
  events(@SseSignal() signal: AbortSignal): Observable<MessageEvent> {
    signals.push(signal);
    return interval(5).pipe(map((hour) => ({ id: String(hour), type: 'tide', retry: 5, data: { hour } })));
  }

  @QueryMethod('find')
  find(@Body() body: object): object {
    return { found: body };
  }

  @Search('search')
  search(): object {
    return { searched: true };
  }

  @Get(':day')
  ofDay(): object {
    return { isDay: true };
  }

  @Get('late')
  late(): object {
    return { isDay: false };
  }
}

/** What Nest has had since version 12, as its documentation shows it. */
@Module({ controllers: [TidesController], providers: [Tides] })
export class NewerNestModule {}
