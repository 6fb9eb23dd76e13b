import { All, Controller, Get, type OnModuleInit, Post, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module';
import { createApp } from '../../src/create-app';
import { loadSettings } from '../../src/platform/config/load-settings';
import { openDatabase } from '../../src/platform/database/driver/open';
import { OnManagementPort } from '../../src/platform/http/management/on-management-port.decorator';
import { NoContentResponse } from '../../src/platform/http/operations/response.decorators';
import { createLogger } from '../../src/platform/logging/logger';
import { Public, RequireScopes } from '../../src/platform/security/access.decorators';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';

@Controller('silent')
class SilentController {
  @Get()
  @Public()
  open(): void {}

  @Post(':id')
  forgotten(): void {}
}

@Controller('torn')
class TornController {
  @Get()
  @Public()
  @RequireScopes('pets:read')
  both(): void {}
}

@Controller('declared')
@RequireScopes('pets:read')
class DeclaredController {
  @Get()
  read(): void {}
}

@Controller('namesakes')
@RequireScopes('pets:read')
class NamesakeController {
  @Get()
  @NoContentResponse('Nothing.')
  listPets(): void {}
}

@OnManagementPort()
@Public()
@Controller('operators')
class OperatorsController {
  @Get()
  page(): void {}
}

@OnManagementPort()
@Controller('guarded')
class GuardedController {
  @Get()
  forgotten(): void {}
}

@OnManagementPort()
@RequireScopes('pets:read')
@Controller('documented')
class DocumentedController {
  @Get()
  @NoContentResponse('Nothing.')
  nothing(): void {}
}

@RequireScopes('pets:read')
@Controller('many')
class ManyPathsController {
  @Get(['one', 'other'])
  both(): void {}
}

@RequireScopes('pets:read')
@Controller('every')
class EveryMethodController {
  @All()
  every(): void {}
}

@Controller()
class PageOfItsOwn implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.host.httpAdapter.get('/status', () => undefined);
  }
}

describe('The start of the application', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    dataSource = await openDatabase(loadSettings({ DATABASE_URL: database.url }));
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** Starts the application as production does, with one more controller in it. */
  async function start(...controllers: Type[]): Promise<void> {
    const forRoot = AppModule.forRoot.bind(AppModule);
    jest.spyOn(AppModule, 'forRoot').mockImplementation((parts) => ({ ...forRoot(parts), controllers }));
    const settings = loadSettings({ DATABASE_URL: database.url });
    const app = await createApp({ settings, dataSource, logger: createLogger('silent') });
    await app.close();
  }

  it('succeeds for the service as it is', async () => {
    await expect(start()).resolves.toBeUndefined();
  });

  it('succeeds when a controller declares access for all its routes', async () => {
    await expect(start(DeclaredController)).resolves.toBeUndefined();
  });

  it('stops at a route that does not say who may use it, and names it', async () => {
    await expect(start(SilentController)).rejects.toThrow(
      'POST /v1/silent/:id (SilentController.forgotten) must have either @Public() or @RequireScopes(...)',
    );
  });

  it('stops at an operation with the name of another, and names both', async () => {
    await expect(start(NamesakeController)).rejects.toThrow(
      /^(PetsController.listPets and NamesakeController.listPets|NamesakeController.listPets and PetsController.listPets) have the same name, which is the operationId of a documented operation: rename one of the methods\.$/,
    );
  });

  it.each([
    ['several paths', ManyPathsController, 'ManyPathsController.both is registered as GET /v1/many/one'],
    ['every HTTP method', EveryMethodController, 'ALL /v1/every (EveryMethodController.every)'],
  ])('stops at a route for %s, and names it', async (_case, controller, message) => {
    await expect(start(controller)).rejects.toThrow(message);
  });

  it('stops at a route that is registered past the controllers of Nest', async () => {
    await expect(start(PageOfItsOwn)).rejects.toThrow(
      'GET /status was registered on the HTTP adapter itself',
    );
  });

  it('succeeds with a controller on the management port', async () => {
    await expect(start(OperatorsController)).resolves.toBeUndefined();
  });

  it('stops at a route of the management port that does not say who may use it', async () => {
    await expect(start(GuardedController)).rejects.toThrow(
      'GET /guarded (GuardedController.forgotten) must have either @Public() or @RequireScopes(...)',
    );
  });

  it('stops at a route of the management port that declares a response', async () => {
    await expect(start(DocumentedController)).rejects.toThrow(
      'GET /documented (DocumentedController.nothing) declares a response, which only the documented interface has.',
    );
  });

  it('stops when a controller is put on the management port too early', () => {
    class EarlyController {}
    expect(() => OnManagementPort()(EarlyController)).toThrow(
      '@OnManagementPort() must stand above the @Controller of EarlyController.',
    );
  });

  it('stops at a route that is both public and closed, and names it', async () => {
    await expect(start(TornController)).rejects.toThrow(
      'GET /v1/torn (TornController.both) must have either @Public() or @RequireScopes(...)',
    );
  });
});
