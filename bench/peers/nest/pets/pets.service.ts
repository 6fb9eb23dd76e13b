import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { MoreThan, Repository } from 'typeorm';
import { PET_REPOSITORY } from '../database/repositories';
import { Pet } from './pet.entity';
import { CreatePetDto, ListPetsDto } from './pets.dto';

@Injectable()
export class PetsService {
  constructor(@Inject(PET_REPOSITORY) private readonly pets: Repository<Pet>) {}

  /** One row more than asked for: it tells whether there is a next page. */
  findPage({ limit, status, cursor }: ListPetsDto): Promise<Pet[]> {
    return this.pets.find({
      where: { ...(cursor !== undefined && { id: MoreThan(cursor) }), ...(status && { status }) },
      order: { id: 'ASC' },
      take: limit + 1,
    });
  }

  async findOne(id: number): Promise<Pet> {
    const pet = await this.pets.findOneBy({ id });
    if (pet === null) throw new NotFoundException();
    return pet;
  }

  create(dto: CreatePetDto): Promise<Pet> {
    return this.pets.save(this.pets.create(dto));
  }
}
