import { Test, type TestingModule } from '@nestjs/testing';
import { PetsService } from '@petstore/platform/pets';
import { TestPlatformModule } from '@petstore/platform/testing';
import { CarriersService, QuotesModule, QuotesService } from './quotes.module';

describe('A quote', () => {
  let module: TestingModule;

  beforeAll(async () => {
    module = await Test.createTestingModule({
      imports: [TestPlatformModule.forRoot('sqlite'), QuotesModule],
    })
      .overrideProvider(CarriersService)
      .useValue({ price: (animals: number) => 5 * animals })
      .compile();
  });
  afterAll(() => module.close());

  it('asks the carrier for all pets of a category', async () => {
    const pets = module.get(PetsService);
    const { item: rex } = await pets.create({ name: 'Rex', categoryId: 3n });
    await pets.create({ name: 'Io', categoryId: 3n });
    expect(await module.get(QuotesService).quote(rex.id)).toEqual({ animals: 2, price: 10 });
  });
});
