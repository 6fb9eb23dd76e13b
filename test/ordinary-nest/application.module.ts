import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Post,
  RawBody,
  StandardSchemaValidationPipe,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { of, type Observable } from 'rxjs';
import { z } from 'zod';
import { Public } from '../../src/platform/security/access.decorators';

/** Streams whose clients went away before their end. */
export const cancelled: unknown[] = [];

@Injectable()
class Moons {
  phase(): string {
    return 'full';
  }
}

@Public()
@Controller('moons')
class MoonsController {
  constructor(private readonly moons: Moons) {}

  @Get('phase')
  phase(): object {
    return { phase: this.moons.phase() };
  }

  @Get('bytes')
  bytes(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('waxing'));
        controller.close();
      },
    });
  }

  @Get('endless')
  endless(): ReadableStream<string> {
    return new ReadableStream({
      pull: (controller) => controller.enqueue('night '),
      cancel: (reason) => void cancelled.push(reason),
    });
  }

  @Get('fetched')
  fetched(): Observable<Response> {
    return of(
      new Response('{"from":"afar"}', { status: 203, headers: { 'content-type': 'application/json' } }),
    );
  }

  @Post('named')
  named(@Body({ schema: z.object({ name: z.string() }) }) body: object): object {
    return body;
  }

  @Post('bytes')
  raw(@RawBody({ schema: z.instanceof(Buffer).refine((bytes) => bytes.length < 20) }) bytes: Buffer): object {
    return { length: bytes.length };
  }
}

/** What else Nest 12 brought, for handlers and for the application as a whole. */
@Module({
  controllers: [MoonsController],
  providers: [Moons, { provide: APP_PIPE, useValue: new StandardSchemaValidationPipe() }],
})
export class ApplicationModule {}
