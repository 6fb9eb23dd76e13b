import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Pet } from '../../../src/pets/pet.entity';
import { PetNotFoundError } from '../../../src/pets/pets.errors';
import { PetsModule } from '../../../src/pets/pets.module';
import { PetsService } from '../../../src/pets/pets.service';
import { RequireScopes } from '../../../src/platform/security/access.decorators';
import { Int64Param } from '../../../src/platform/validation/int64-param.decorator';

/** What a carrier of another company asks for. */
@Injectable()
export class CarriersService {
  async price(animals: number): Promise<number> {
    const response = await fetch(`https://carrier.example/prices?animals=${animals}`);
    return ((await response.json()) as { price: number }).price;
  }
}

@Injectable()
export class QuotesService {
  constructor(
    private readonly carriers: CarriersService,
    private readonly pets: PetsService,
    private readonly dataSource: DataSource,
  ) {}

  /** The price to bring a pet and all others of its category. */
  async quote(petId: bigint): Promise<{ readonly animals: number; readonly price: number }> {
    const { categoryId } = await this.pets.get(petId);
    const animals = await this.dataSource.getRepository(Pet).countBy({ categoryId });
    return { animals, price: await this.carriers.price(animals) };
  }
}

@RequireScopes('quotes:read')
@Controller('quotes')
class QuotesController {
  constructor(private readonly quotes: QuotesService) {}

  @Get(':petId')
  quote(@Int64Param('petId', PetNotFoundError, 'Identifier of the animal.') petId: bigint): Promise<object> {
    return this.quotes.quote(petId);
  }
}

/** A module that asks another company, another module and the database. */
@Module({
  imports: [PetsModule],
  controllers: [QuotesController],
  providers: [CarriersService, QuotesService],
})
export class QuotesModule {}
