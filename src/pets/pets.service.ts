import { Injectable } from '@nestjs/common';
import { Events } from '../platform/events/events';
import type { Created, Page } from '../platform/http/page';
import { readPage } from '../platform/http/page-query';
import type { ListPetsQuery } from './dto/list-pets.query';
import type { NewPetDto } from './dto/new-pet.dto';
import type { PetDto } from './dto/pet.dto';
import type { Pet } from './pet.entity';
import { PetNotFoundError } from './pets.errors';
import { PetCreated } from './pets.events';
import { PetsRepository } from './pets.repository';

/** The rules of pets. Other features call this, never the repository. */
@Injectable()
export class PetsService {
  constructor(
    private readonly pets: PetsRepository,
    private readonly events: Events,
  ) {}

  /** @throws InvalidCursorError */
  async list(query: ListPetsQuery): Promise<Page<PetDto>> {
    const filter = { status: query.status };
    const page = await readPage(query, filter, (window) => this.pets.list(window, filter));
    return { ...page, items: page.items.map(toDto) };
  }

  async create(pet: NewPetDto): Promise<Created<PetDto>> {
    const created = toDto(
      await this.pets.insert({ name: pet.name, categoryId: pet.categoryId, status: pet.status ?? null }),
    );
    this.events.publish(new PetCreated(created));
    return { item: created, path: `/pets/${created.id}` };
  }

  /** @throws PetNotFoundError */
  async get(id: bigint): Promise<PetDto> {
    const pet = await this.pets.find(id);
    if (!pet) throw new PetNotFoundError();
    return toDto(pet);
  }
}

/** What was never set is left out of the answer, not sent as null. */
function toDto(pet: Pet): PetDto {
  return { id: pet.id, name: pet.name, categoryId: pet.categoryId, status: pet.status ?? undefined };
}
