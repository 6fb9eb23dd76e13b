import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  type NestInterceptor,
  Param,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Pet } from '../../src/pets/pet.entity';
import { Public } from '../../src/platform/security/access.decorators';

/** Asks for each pet by itself, as whoever has not thought of it does. */
@Injectable()
class VansService {
  constructor(private readonly dataSource: DataSource) {}

  async names(count: number): Promise<string[]> {
    const names: string[] = [];
    for (let id = 1; id <= count; id++) {
      const pet = await this.dataSource.getRepository(Pet).findOneBy({ name: `secret ${id}` });
      names.push(pet?.name ?? '');
    }
    return names;
  }

  async fail(): Promise<never> {
    return this.dataSource.query(`SELEKT * FROM "no_such_van" WHERE "name" = 'secret' AND "id" = 4711`);
  }
}

@Injectable()
class VansGuard implements CanActivate {
  async canActivate(): Promise<boolean> {
    await pause(3);
    return true;
  }
}

@Injectable()
class VansInterceptor implements NestInterceptor {
  async intercept(_context: ExecutionContext, next: CallHandler) {
    await pause(3);
    return next.handle();
  }
}

@Public()
@Controller('vans')
class VansController {
  constructor(private readonly vans: VansService) {}

  @Get('guarded/:count')
  @UseGuards(VansGuard)
  @UseInterceptors(VansInterceptor)
  async guarded(@Param('count') count: string): Promise<string[]> {
    await pause(3);
    return this.get(count);
  }

  @Get(':count')
  get(@Param('count') count: string): Promise<string[]> {
    return count === 'broken' ? this.vans.fail() : this.vans.names(Number(count));
  }
}

/** A module whose requests do more on the database than they need, in various ways. */
@Module({ controllers: [VansController], providers: [VansService] })
export class VansModule {}
