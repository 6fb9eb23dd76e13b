import request from 'supertest';
import { PetsModule } from '@petstore/platform/pets';
import { addSample, startTestService, type TestService } from '@petstore/platform/testing';
import { CarriersService, QuotesModule } from './quotes.module';

describe('GET /v1/quotes/:petId', () => {
  let service: TestService;
  const price = jest.fn(() => Promise.resolve(5));

  beforeAll(async () => {
    service = await startTestService(
      'sqlite',
      { PetsModule, QuotesModule },
      {},
      { override: (builder) => builder.overrideProvider(CarriersService).useValue({ price }) },
    );
  });
  afterAll(() => service.stop());

  it('responds with the price of the carrier', async () => {
    const petId = await addSample(service, '/pets');
    await request(service.app.getHttpServer())
      .get(`/v1/quotes/${petId}`)
      .set('Authorization', `Bearer ${service.key}`)
      .expect(200, { animals: 1, price: 5 });
    expect(price).toHaveBeenCalledWith(1);
  });

  it('refuses a request without a key', async () => {
    const { status } = await request(service.app.getHttpServer()).get('/v1/quotes/1');
    expect(status).toBe(401);
  });
});
