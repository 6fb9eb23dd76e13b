import {
  applyDecorators,
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  Ip,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Post,
  Query,
  Req,
  Res,
  Scope,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Page } from '../../src/platform/database/statements/page';
import { defineError } from '../../src/platform/errors/app-error';
import { Once } from '../../src/platform/http/idempotency/once';
import { CreatedResponse, PageResponse } from '../../src/platform/http/operations/response.decorators';
import { PageQuery } from '../../src/platform/http/request/page-query';
import type { Created } from '../../src/platform/http/response/created';
import { CacheResponse } from '../../src/platform/http/response/response-cache';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { Caller } from '../../src/platform/security/caller.decorator';
import type { Principal } from '../../src/platform/security/principal';
import { Int64Field, StringField } from '../../src/platform/validation/fields';
import { desk, DeskFilter, DeskGuard, DeskInterceptor, deskMiddleware, DeskPipe } from './desk-parts';

export class SheetDto {
  @StringField({ description: 'Whose it is.', example: 'a' })
  owner!: string;

  @Int64Field({ description: 'Its number.', example: 1 })
  number!: bigint;
}

const Tenant = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().headers['x-tenant'],
);

const Guarded = () => applyDecorators(UseGuards(DeskGuard));

/** A list that is kept for as long as nothing changes. */
const Sheets = (name: string) =>
  applyDecorators(Get(), RequireScopes('sheets:read'), CacheResponse(), PageResponse(SheetDto, name, 'All.'));

function sheetsOf(owner: unknown): Page<SheetDto> {
  desk.calls++;
  return { items: [{ owner: String(owner), number: 1n }] };
}

@Controller('sheets/plain')
class PlainController {
  @Sheets('PlainSheets')
  listPlain(@Query() _query: PageQuery, @Caller() caller: Principal): Page<SheetDto> {
    return sheetsOf(caller.owner);
  }
}

@Controller('sheets/guarded-method')
class GuardedMethodController {
  @UseGuards(DeskGuard)
  @Sheets('GuardedMethodSheets')
  listGuardedMethod(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@UseGuards(new DeskGuard())
@Controller('sheets/guarded-controller')
class GuardedController {
  @Sheets('GuardedSheets')
  listGuarded(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@UseGuards(DeskGuard)
class BaseController {
  @Sheets('InheritedSheets')
  listInherited(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller('sheets/inherited')
class InheritedController extends BaseController {}

@Controller('sheets/composed')
class ComposedController {
  @Guarded()
  @Sheets('ComposedSheets')
  listComposed(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller('sheets/intercepted')
class InterceptedController {
  @UseInterceptors(DeskInterceptor)
  @Sheets('InterceptedSheets')
  listIntercepted(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller('sheets/piped')
class PipedController {
  @UsePipes(DeskPipe)
  @Sheets('PipedSheets')
  listPiped(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller('sheets/piped-parameter')
class PipedParameterController {
  @Sheets('PipedParameterSheets')
  listPipedParameter(@Query('limit', DeskPipe) _limit: string): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@UseFilters(DeskFilter)
@Controller('sheets/filtered')
class FilteredController {
  @Sheets('FilteredSheets')
  listFiltered(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller('sheets/by-field')
class ByFieldController {
  @Sheets('ByFieldSheets')
  listByField(@Headers('x-tenant') tenant: string): Page<SheetDto> {
    return sheetsOf(tenant);
  }
}

@Controller('sheets/by-request')
class ByRequestController {
  @Sheets('ByRequestSheets')
  listByRequest(@Req() { headers }: Request): Page<SheetDto> {
    return sheetsOf(headers['x-tenant']);
  }
}

@Controller('sheets/by-response')
class ByResponseController {
  @Sheets('ByResponseSheets')
  listByResponse(@Res({ passthrough: true }) response: Response): Page<SheetDto> {
    return sheetsOf(response.req.headers['x-tenant']);
  }
}

@Controller('sheets/by-address')
class ByAddressController {
  @Sheets('ByAddressSheets')
  listByAddress(@Ip() address: string): Page<SheetDto> {
    return sheetsOf(address);
  }
}

@Controller('sheets/by-decorator')
class ByDecoratorController {
  @Sheets('ByDecoratorSheets')
  listByDecorator(@Tenant() tenant: string): Page<SheetDto> {
    return sheetsOf(tenant);
  }
}

@Controller({ path: 'sheets/scoped', scope: Scope.REQUEST })
class ScopedController {
  @Sheets('ScopedSheets')
  listScoped(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller({ path: 'sheets/hosted', host: ':name' })
class HostedController {
  @Sheets('HostedSheets')
  listHosted(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller('sheets/field')
class FieldController {
  @Header('X-Sheet', 'yes')
  @Sheets('FieldSheets')
  listWithField(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

@Controller('sheets/behind')
class BehindController {
  @Sheets('BehindSheets')
  listBehind(@Query() _query: PageQuery): Page<SheetDto> {
    return sheetsOf('a');
  }
}

const SheetRefusedError = defineError({
  code: 'sheet_refused',
  status: 409,
  message: 'The sheet is refused.',
});

@UseGuards(DeskGuard)
@UseInterceptors(DeskInterceptor)
@Controller('sheets')
class NewSheetsController {
  @Post()
  @RequireScopes('sheets:write')
  @CreatedResponse(SheetDto, 'It was added.')
  createSheet(@Body() sheet: SheetDto, @Once() once: Once): Promise<Created<SheetDto>> {
    desk.calls++;
    return once(() => {
      if (desk.isRefused) throw new SheetRefusedError();
      return Promise.resolve({ item: sheet, path: '/sheets/1' });
    });
  }
}

const CONTROLLERS: Type[] = [
  PlainController,
  GuardedMethodController,
  GuardedController,
  InheritedController,
  ComposedController,
  InterceptedController,
  PipedController,
  PipedParameterController,
  FilteredController,
  ByFieldController,
  ByRequestController,
  ByResponseController,
  ByAddressController,
  ByDecoratorController,
  ScopedController,
  HostedController,
  FieldController,
  BehindController,
  NewSheetsController,
];

/** Lists that may be repeated, or not, and one operation with `@Once()`. */
@Module({ controllers: CONTROLLERS })
export class SheetsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(deskMiddleware).forRoutes(BehindController);
  }
}

@Module({ controllers: [PlainController] })
export class PlainSheetsModule {}
