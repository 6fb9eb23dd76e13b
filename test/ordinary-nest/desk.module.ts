import {
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Headers,
  HostParam,
  Inject,
  Injectable,
  Ip,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestMiddleware,
  type NestModule,
  Param,
  ParseIntPipe,
  Post,
  Query,
  RequestMethod,
  Scope,
  Session,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import type { NextFunction, Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { Public, RequireScopes } from '../../src/platform/security/access.decorators';
import { IntegerField, StringField } from '../../src/platform/validation/fields';

/** What has run, in its order, as the response says it. */
function note(response: Response, name: string): void {
  response.append('X-Ran', name);
}

/** A class with a dependency of its own. */
@Injectable()
class Bell {
  readonly tone = 'ding';
}

@Injectable()
class ClassMiddleware implements NestMiddleware {
  constructor(private readonly bell: Bell) {}

  use({ query, params }: Request, response: Response, next: NextFunction): void {
    note(response, `class ${this.bell.tone} ${JSON.stringify({ query, params })}`);
    next();
  }
}

function functional(_request: Request, response: Response, next: NextFunction): void {
  note(response, 'functional');
  next();
}

function failing(): never {
  throw new Error('secret');
}

function closing(_request: Request, response: Response): void {
  response.status(200).json({ by: 'middleware' });
}

@Injectable()
class EveryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    note(http.getResponse<Response>(), 'guard');
    return http.getRequest<Request>().headers['x-desk'] !== 'closed';
  }
}

@Injectable()
class EveryInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(tap(() => note(response, 'interceptor')));
  }
}

class BrokenBellError extends Error {}

@Catch(BrokenBellError)
class EveryFilter implements ExceptionFilter {
  catch(_error: BrokenBellError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ broken: 'bell' });
  }
}

/** What belongs to one request, as Nest's chapter on injection scopes has it. */
@Injectable({ scope: Scope.REQUEST })
class Visit {
  constructor(@Inject(REQUEST) private readonly request: Request) {}

  get path(): string {
    return this.request.originalUrl;
  }
}

class TicketDto {
  @IsString()
  @Transform(({ value }: { value: string }) => value.trim())
  name!: string;

  @IsOptional()
  @IsString()
  @Transform(({ value }: { value: string }) => value.toUpperCase())
  note?: string;

  @IsInt()
  @Min(1)
  count!: number;
}

class HouseTicketDto {
  @StringField({ description: 'Of the caller.', example: 'Ana' })
  name!: string;

  @IntegerField({ description: 'How many.', example: 1 })
  count!: number;
}

@RequireScopes('desk:read')
@Controller('desk')
class DeskController {
  constructor(private readonly visit: Visit) {}

  @Get()
  get(): object {
    return { path: this.visit.path };
  }

  @Get('told')
  told(@Ip() ip: string, @Headers('x-a') a: string, @Session() session: unknown): object {
    return { ip, a, session: session ?? null };
  }

  @Get('broken')
  broken(): never {
    throw new BrokenBellError();
  }

  @Get('quiet')
  quiet(): object {
    return {};
  }

  @Get('rooms/:room')
  room(@Param('room', ParseIntPipe) room: number, @Query('floor') floor: string): object {
    return { room, floor };
  }

  @Post('tickets')
  ticket(@Body() ticket: TicketDto): object {
    return ticket;
  }

  @Post('house-tickets')
  houseTicket(@Body(new ValidationPipe({ transform: true })) ticket: HouseTicketDto): object {
    return ticket;
  }

  @Get('answered')
  answered(): object {
    return { by: 'handler' };
  }

  @Get('fails')
  fails(): object {
    return {};
  }
}

/** A controller of one host, as Nest's chapter on sub-domain routing has it. */
@Public()
@Controller({ path: 'hosted', host: ':name.desk.example' })
class HostedController {
  @Get()
  get(@HostParam('name') name: string): object {
    return { name };
  }
}

@Module({
  controllers: [DeskController, HostedController],
  providers: [
    Bell,
    Visit,
    { provide: APP_GUARD, useClass: EveryGuard },
    { provide: APP_INTERCEPTOR, useClass: EveryInterceptor },
    { provide: APP_FILTER, useClass: EveryFilter },
    { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, transform: true }) },
  ],
})
export class DeskModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(ClassMiddleware, functional)
      .exclude({ path: 'desk/quiet', method: RequestMethod.GET, version: '1' })
      .forRoutes(DeskController);
    consumer.apply(functional).forRoutes('pets');
    consumer.apply(functional).forRoutes({ path: 'desk/rooms/:room', method: RequestMethod.GET });
    consumer.apply(closing).forRoutes('desk/answered');
    consumer.apply(failing).forRoutes('desk/fails');
  }
}
