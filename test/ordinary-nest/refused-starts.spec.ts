import {
  All,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Module,
  Param,
  Post,
  Query,
  RawBody,
  Render,
  type Type,
  UploadedFile,
  Version,
} from '@nestjs/common';
import {
  CreatedResponse,
  NoContentResponse,
  OkResponse,
  PageResponse,
} from '../../src/platform/http/operations/response.decorators';
import { Once } from '../../src/platform/http/idempotency/once';
import type { Created } from '../../src/platform/http/response/created';
import type { Page } from '../../src/platform/database/statements/page';
import { PageQuery } from '../../src/platform/http/request/page-query';
import { IfMatch, Precondition } from '../../src/platform/http/request/precondition';
import { Public, RequireScopes } from '../../src/platform/security/access.decorators';
import { StringField } from '../../src/platform/validation/fields';
import { startTestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';

class ThingDto {
  @StringField({ description: 'Its name.', example: 'a' })
  name!: string;
}

@Controller('things')
class OpenController {
  @Get()
  find(): void {}
}

@Public()
@Controller('things')
class TwiceController {
  @Get()
  first(): void {}

  @Get()
  second(): void {}
}

@Public()
@Controller('things')
class TwoNamesController {
  @Get(':id')
  find(@Param('id') id: string): string {
    return id;
  }

  @Delete(':thingId')
  remove(@Param('thingId') _id: string): void {}
}

@Public()
@Controller('things')
class PageController {
  @Get()
  @Render('index')
  page(): void {}
}

@Public()
@Controller('things')
class MistypedController {
  @Get(':thingId')
  find(@Param('id') id: string): string {
    return id;
  }
}

@Public()
@Controller('things')
class BodyOfGetController {
  @Get()
  find(@Body() body: object): object {
    return body;
  }
}

@Public()
@Controller('things')
class OnceController {
  @Post()
  @HttpCode(200)
  create(@Body() body: object, @Once() once: Once): Promise<object> {
    return once(() => Promise.resolve(body));
  }
}

@Public()
@Controller('things')
class OnceReadController {
  @Get()
  @OkResponse(ThingDto, 'The thing.')
  find(@Once() once: Once): Promise<ThingDto> {
    return once(() => Promise.resolve({ name: 'a' }));
  }
}

@Public()
@Controller('things')
class FormBytesController {
  @Post()
  create(@RawBody() _bytes: Buffer, @UploadedFile() _file: unknown): void {}
}

@Public()
@Controller('things')
class OnceWithFileController {
  @Post()
  @CreatedResponse(ThingDto, 'It was added.')
  create(@UploadedFile() _file: unknown, @Once() once: Once): Promise<Created<ThingDto>> {
    return once(() => Promise.resolve({ item: { name: 'a' }, path: '/things/1' }));
  }
}

@Public()
@Controller('things')
class OtherVersionController {
  @Version('2')
  @Get()
  @OkResponse(ThingDto, 'The thing.')
  find(): ThingDto {
    return { name: 'a' };
  }
}

@Public()
@Controller('things')
class TwoVersionsController {
  @Version(['1', '2'])
  @Get()
  find(): void {}
}

@Public()
@Controller('things')
class EveryMethodController {
  @All()
  find(): void {}
}

@RequireScopes('things:write')
@Controller('things')
class UnreadController {
  @Delete(':id')
  @NoContentResponse('It is gone.')
  remove(@Param('id') _id: string, @IfMatch() _ifMatch: Precondition): void {}
}

const NONE: Page<ThingDto> = { items: [], next: undefined };

@RequireScopes('things:read')
@Controller('things')
class NamesakeListsController {
  @Get()
  @PageResponse(ThingDto, 'Things', 'One page of things.')
  list(@Query() _query: PageQuery): Page<ThingDto> {
    return NONE;
  }

  @Get('old')
  @PageResponse(ThingDto, 'Things', 'One page of old things.')
  listOld(@Query() _query: PageQuery): Page<ThingDto> {
    return NONE;
  }
}

describe('The start is refused with the handler and the remedy', () => {
  it.each<[string, Type, string]>([
    ['of a route that says nothing of who may use it', OpenController, 'must have either @Public() or'],
    [
      'of two handlers of one path and method',
      TwiceController,
      'GET /v1/things is served by TwiceController.first and TwiceController.second: give one of them another path.',
    ],
    [
      'of one path under two names',
      TwoNamesController,
      'TwoNamesController.find calls /v1/things/:id what TwoNamesController.remove calls /v1/things/:thingId: give the parameters of one path one name.',
    ],
    [
      'of a view',
      PageController,
      'GET /v1/things (PageController.page) has @Render(), and there is no view engine: return the text, or a StreamableFile.',
    ],
    [
      'of the bytes of a form',
      FormBytesController,
      'POST /v1/things (FormBytesController.create) takes @RawBody() of a form, which its interceptor reads as it arrives: take @UploadedFile().',
    ],
    [
      'of a parameter that the path does not have',
      MistypedController,
      "GET /v1/things/:thingId (MistypedController.find) takes @Param('id'), which its path does not have: name one that it has.",
    ],
    [
      'of a GET with a body',
      BodyOfGetController,
      'GET /v1/things (BodyOfGetController.find) takes @Body(), which is ignored with GET: take @Query(), or serve POST.',
    ],
    [
      'of @Once() without a response to keep',
      OnceController,
      'POST /v1/things (OnceController.create) has @Once(), which keeps the response of @CreatedResponse(...) or @OkResponse(...): add one.',
    ],
    [
      'of @Once() with a GET, which changes nothing',
      OnceReadController,
      'GET /v1/things (OnceReadController.find) has @Once(), and a GET may be repeated as it is: leave it out.',
    ],
    [
      'of @Once() with a form, whose bytes cannot be compared',
      OnceWithFileController,
      'POST /v1/things (OnceWithFileController.create) has @Once(), which tells bodies of JSON apart and no forms: leave it out.',
    ],
    [
      'of another version with a documented response',
      OtherVersionController,
      'GET /v2/things (OtherVersionController.find) declares a response, whose links lead to version 1: leave @Version() out, or write the response by hand.',
    ],
    [
      'of a handler of every method',
      EveryMethodController,
      'ALL /v1/things (EveryMethodController.find) takes every HTTP method: name each, so that a wrong one can be told from the right ones.',
    ],
    [
      'of an entity tag that no GET gives',
      UnreadController,
      'UnreadController.remove takes @IfMatch(), and no GET of its path',
    ],
    [
      'of two lists of one name',
      NamesakeListsController,
      'Two schemas are named Things: give the list of NamesakeListsController.listOld another name',
    ],
    [
      'of two versions of one handler',
      TwoVersionsController,
      'give it one path, one version and one method, and write prefixes in @Controller().',
    ],
  ])('because %s', async (_what, controller, sentence) => {
    @Module({ controllers: [controller] })
    class ThingsModule {}
    const start = async () => {
      const service = await withFeatures({ ThingsModule }, () => startTestService('sqlite'));
      // One that starts all the same does not keep the tests from ending.
      await service.stop();
    };
    await expect(start()).rejects.toThrow(sentence);
  });
});
