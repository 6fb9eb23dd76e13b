import { Injectable, Module } from '@nestjs/common';
import { PetPatchDto } from '../../../src/pets/dto/pet-patch.dto';
import { PetDto } from '../../../src/pets/dto/pet.dto';
import { PetStatus } from '../../../src/pets/pet-status';
import { Pet } from '../../../src/pets/pet.entity';
import { PetsModule } from '../../../src/pets/pets.module';
import { PetsService } from '../../../src/pets/pets.service';
import { defineError } from '../../../src/platform/errors/app-error';
import type { PanelContent } from '../../../src/platform/features/admin-panel';
import { adminRecords } from '../../../src/platform/features/admin-records';
import { Feature } from '../../../src/platform/features/feature.decorator';
import type { Precondition } from '../../../src/platform/http/request/precondition';
import { AdoptionDayController, SHELTER_SETTINGS } from './adoption-day.controller';
import { GuestLetterController, LettersController } from './letters.controller';

/** Refuses a guest who has a home already. */
export const HasHomeError = defineError({
  code: 'has_home',
  status: 409,
  message: 'It has a home already.',
});

@Injectable()
class ShelterService {
  constructor(private readonly pets: PetsService) {}

  update(id: bigint, patch: PetPatchDto, ifMatch?: Precondition): Promise<PetDto> {
    return this.pets.update(id, patch, ifMatch);
  }

  async adopt(id: bigint): Promise<PetDto> {
    const pet = await this.pets.get(id);
    if (pet.status === PetStatus.Sold) throw new HasHomeError();
    return this.pets.update(id, { status: PetStatus.Sold });
  }

  praise(id: bigint): Promise<PetDto> {
    return this.pets.get(id);
  }

  async care(id: bigint): Promise<PanelContent> {
    return {
      figures: [
        { label: 'Walks', value: 12_345 * Number(id > 0n), note: 'since <May>' },
        { label: 'Last walk', value: new Date('2026-11-21T22:30:00Z') },
        { label: 'Vet', value: null },
      ],
    };
  }

  async homes(): Promise<PanelContent> {
    return {
      table: {
        columns: ['Town', 'Homes', 'Near'],
        rows: [
          ['Bern & Thun', 7n, true],
          ['Basel', 1_234, false],
        ],
      },
    };
  }

  async lost(): Promise<PanelContent> {
    throw new Error('The panel has no content.');
  }
}

/** A module with all that one can add to the console: actions, panels, a page and an icon; and with a setting. */
@Feature({
  settings: SHELTER_SETTINGS,
  admin: adminRecords({
    name: 'guests',
    one: 'guest',
    entity: Pet,
    record: PetDto,
    patch: PetPatchDto,
    service: ShelterService,
    icon: 'heart',
    actions: {
      adopt: {
        title: 'Adopt',
        done: 'adopted',
        description: 'It goes to its new home.',
        isUndoable: true,
        appliesTo: ({ status }) => status !== PetStatus.Sold,
      },
      praise: { title: 'Praise', done: 'praised', scope: 'admin:praise' },
    },
    panels: { care: { title: 'Care' } },
    overviewPanels: { homes: { title: 'Homes found' }, lost: { title: 'Lost' } },
  }),
})
@Module({
  imports: [PetsModule],
  controllers: [AdoptionDayController, GuestLetterController, LettersController],
  providers: [ShelterService],
})
export class ShelterModule {}
