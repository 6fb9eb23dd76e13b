import {
  Body,
  Controller,
  type INestApplication,
  Module,
  Post,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import * as features from '../../src/features';
import type { AppOptions } from '../../src/create-app';
import { startTestService, type TestService } from '../support/service/service';
import { RequireScopes } from '../../src/platform/security/access.decorators';

class DoorDto {
  @IsString()
  colour!: string;
}

class HutchDto {
  @IsString()
  name!: string;

  @ValidateNested()
  @Type(() => DoorDto)
  door!: DoorDto;
}

const strict = () => new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true });

@RequireScopes('hutches:write')
@Controller('hutches')
class HutchesController {
  @Post('open')
  open(@Body() hutch: HutchDto): HutchDto {
    return hutch;
  }

  @Post('method')
  @UsePipes(strict())
  ofMethod(@Body() hutch: HutchDto): HutchDto {
    return hutch;
  }

  @Post('parameter')
  ofParameter(@Body(strict()) hutch: HutchDto): HutchDto {
    return hutch;
  }
}

@Module({ controllers: [HutchesController] })
class HutchesModule {}

const HUTCH = { name: 'Hay', door: { colour: 'red' } };

describe('A member that a DTO does not declare', () => {
  let service: TestService;
  const start = (options: AppOptions = {}) =>
    startTestService('sqlite', {}, { ...options, features: { ...features, HutchesModule } });
  const send = async (path: string, body: object) => {
    const response = await service.post(`/v1/hutches/${path}`, body);
    return { status: response.status, body: await response.json() };
  };

  describe('with the ValidationPipe of a team', () => {
    beforeAll(async () => {
      service = await start();
    });
    afterAll(() => service.stop());

    it.each(['method', 'parameter'])('is refused by forbidNonWhitelisted of the %s', async (path) => {
      expect(await send(path, HUTCH)).toEqual({ status: 201, body: HUTCH });
      expect(await send(path, { ...HUTCH, roof: 'tin' })).toMatchObject({
        status: 400,
        body: { code: 'invalid_field', message: 'roof is not a known member.' },
      });
      expect(await send(path, { ...HUTCH, door: { colour: 'red', lock: 1 } })).toMatchObject({
        body: { message: 'door.lock is not a known member.' },
      });
    });

    it('is left out where no pipe refuses it', async () => {
      expect(await send('open', { ...HUTCH, roof: 'tin' })).toEqual({ status: 201, body: HUTCH });
    });
  });

  it('is refused by forbidNonWhitelisted of the application', async () => {
    service = await start({
      create: async (root, adapter, options) => {
        const app: INestApplication = await NestFactory.create(root, adapter, options);
        return app.useGlobalPipes(strict()) as NestExpressApplication;
      },
    });
    try {
      expect((await send('open', { ...HUTCH, roof: 'tin' })).status).toBe(400);
    } finally {
      await service.stop();
    }
  });
});
