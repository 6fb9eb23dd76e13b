import { Injectable } from '@nestjs/common';
import {
  applyMergePatch,
  type Complete,
  type Created,
  Database,
  Events,
  type Page,
  Precondition,
} from '@petstore/platform';
import type { ListPetsQuery } from './dto/list-pets.query';
import type { NewPetDto } from './dto/new-pet.dto';
import type { PetPatchDto } from './dto/pet-patch.dto';
import type { PetDto } from './dto/pet.dto';
import type { Pet } from './pet.entity';
import { PetNotFoundError } from './pets.errors';
import { PetCreated, PetDeleted, PetRestored, PetUpdated } from './pets.events';
import { PetsRepository } from './pets.repository';

/** The rules of pets. Other features call this, never the repository. */
@Injectable()
export class PetsService {
  constructor(
    private readonly pets: PetsRepository,
    private readonly events: Events,
    private readonly database: Database,
  ) {}

  /** @throws InvalidCursorError */
  async list(query: ListPetsQuery): Promise<Page<PetDto>> {
    const page = await this.pets.findPage(query, { status: query.status });
    return { ...page, items: page.items.map(toDto) };
  }

  create(pet: NewPetDto): Promise<Created<PetDto>> {
    return this.events.transactionFor(PetCreated, async () => {
      const created = toDto(
        await this.pets.insert({ name: pet.name, categoryId: pet.categoryId, status: pet.status ?? null }),
      );
      this.events.publish(new PetCreated(created));
      return { item: created, path: `/pets/${created.id}` };
    });
  }

  /** Adds many pets in one transaction, as {@link create} adds each: all of them or none. */
  createMany(pets: readonly NewPetDto[]): Promise<PetDto[]> {
    return this.events.transactionFor(PetCreated, async () => {
      const created = await this.pets.insertMany(
        pets.map((pet) => ({ name: pet.name, categoryId: pet.categoryId, status: pet.status ?? null })),
      );
      return created.map((pet) => {
        const dto = toDto(pet);
        this.events.publish(new PetCreated(dto));
        return dto;
      });
    });
  }

  /** @throws PetNotFoundError */
  async get(id: bigint): Promise<PetDto> {
    const pet = await this.pets.findOne(id);
    if (!pet) throw new PetNotFoundError();
    return toDto(pet);
  }

  /** @throws PetNotFoundError or PreconditionFailedError */
  update(id: bigint, patch: PetPatchDto, ifMatch = Precondition.NONE): Promise<PetDto> {
    return this.database.transaction(async () => {
      const pet = await this.pets.findOneForUpdate(id);
      if (!pet) throw new PetNotFoundError();
      ifMatch.check(toDto(pet));
      const updated = toDto(await this.pets.update(applyMergePatch(pet, patch)));
      this.events.publish(new PetUpdated(updated));
      return updated;
    });
  }

  /**
   * Takes a pet off the store; it can be restored.
   *
   * @throws PetNotFoundError or PreconditionFailedError
   */
  delete(id: bigint, ifMatch = Precondition.NONE): Promise<void> {
    return this.database.transaction(async () => {
      const pet = await this.pets.findOneForUpdate(id);
      if (!pet) throw new PetNotFoundError();
      ifMatch.check(toDto(pet));
      await this.pets.delete(id);
      this.events.publish(new PetDeleted(id));
    });
  }

  /**
   * Takes many pets off the store in one transaction, as {@link delete} takes each: all of them or none.
   *
   * @throws PetNotFoundError
   */
  deleteMany(ids: readonly bigint[]): Promise<void> {
    return this.database.transaction(async () => {
      const removed = await this.pets.deleteMany(ids);
      if (removed.length < ids.length) throw new PetNotFoundError();
      for (const id of ids) this.events.publish(new PetDeleted(id));
    });
  }

  /**
   * Brings a removed pet back as it was.
   *
   * @throws PetNotFoundError when no pet with this id has been removed
   */
  restore(id: bigint): Promise<PetDto> {
    return this.database.transaction(async () => {
      if (!(await this.pets.restore(id))) throw new PetNotFoundError();
      const restored = await this.get(id);
      this.events.publish(new PetRestored(restored));
      return restored;
    });
  }
}

/** A member that was never set is left out of the response, not sent as null. */
function toDto(pet: Pet): PetDto {
  return {
    id: pet.id,
    name: pet.name,
    categoryId: pet.categoryId,
    status: pet.status ?? undefined,
  } satisfies Complete<PetDto>;
}
