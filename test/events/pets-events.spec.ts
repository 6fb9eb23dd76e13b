import { Injectable, Module } from '@nestjs/common';
import { describeEachEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { withFeatures } from '../support/service/with-features';
import { OnEvent } from '../../src/platform/events/on-event.decorator';
import { NewPetDto } from '../../src/pets/dto/new-pet.dto';
import { PetNotFoundError } from '../../src/pets/pets.errors';
import { PetCreated, PetDeleted, PetRestored, PetUpdated } from '../../src/pets/pets.events';
import { PetsService } from '../../src/pets/pets.service';

@Injectable()
class Diary {
  readonly lines: string[] = [];

  @OnEvent(PetCreated, { delivery: 'durable' })
  @OnEvent(PetUpdated, { delivery: 'durable' })
  @OnEvent(PetDeleted, { delivery: 'durable' })
  @OnEvent(PetRestored, { delivery: 'durable' })
  write(event: { readonly subject: string }): void {
    this.lines.push(`${event.constructor.name} ${event.subject}`);
  }
}

@Module({ providers: [Diary] })
class DiaryModule {}

describeEachEngine('The events of pets', (engine) => {
  let service: TestService;
  let pets: PetsService;
  let diary: Diary;

  beforeAll(async () => {
    service = await withFeatures({ DiaryModule }, () => startTestService(engine));
    pets = service.app.get(PetsService);
    diary = service.app.get(Diary);
  });
  afterAll(() => service.stop());
  beforeEach(() => (diary.lines.length = 0));

  const linesWhen = async (count: number) => {
    await until(() => diary.lines.length >= count);
    return diary.lines;
  };

  it('are delivered in the order of the changes of one pet', async () => {
    const created = await service.post('/v1/pets', { name: 'Rex', categoryId: 3 });
    const { id } = (await created.json()) as { id: number };
    await pets.delete(BigInt(id));
    await pets.restore(BigInt(id));
    const subject = `pets/${id}`;
    expect(await linesWhen(3)).toEqual([
      `PetCreated ${subject}`,
      `PetDeleted ${subject}`,
      `PetRestored ${subject}`,
    ]);
  });

  it('are published for each pet of a multi-row insertion, and of a removal of many', async () => {
    const some = ['Ada', 'Bo'].map((name) => Object.assign(new NewPetDto(), { name, categoryId: 3n }));
    const added = await pets.createMany(some);
    expect((await linesWhen(2)).toSorted()).toEqual(
      added.map(({ id }) => `PetCreated pets/${id}`).toSorted(),
    );
    const ids = added.map(({ id }) => id);
    await expect(pets.deleteMany([...ids, 999_999n])).rejects.toBeInstanceOf(PetNotFoundError);
    await pets.deleteMany(ids);
    expect((await linesWhen(4)).filter((line) => line.startsWith('PetDeleted')).toSorted()).toEqual(
      added.map(({ id }) => `PetDeleted pets/${id}`).toSorted(),
    );
  });
});
