import { Injectable } from '@nestjs/common';
import { PetsService } from '../../../src/pets/pets.service';
import { Database } from '../../../src/platform/database/database';
import { isUniqueViolation } from '../../../src/platform/database/driver/driver-errors';
import { EntityRepository } from '../../../src/platform/database/entities/entity-repository';
import type { Page } from '../../../src/platform/database/statements/page';
import { InvalidFieldError } from '../../../src/platform/errors/http-errors';
import type { PageQuery } from '../../../src/platform/http/request/page-query';
import { Precondition } from '../../../src/platform/http/request/precondition';
import type { Created } from '../../../src/platform/http/response/created';
import { applyMergePatch } from '../../../src/platform/validation/merge-patch';
import { DentalCheck } from './dental-check.entity';
import type { NewDentalCheckDto, DentalCheckDto, DentalCheckPatchDto } from './dental-checks.dto';
import { CertificateTakenError, DentalCheckNotFoundError } from './dental-checks.errors';

/** Dental checks in the database. */
@Injectable()
export class DentalChecksRepository extends EntityRepository<DentalCheck> {
  constructor(database: Database) {
    super(database, DentalCheck);
  }
}

/**
 * The rules of dental checks: they belong to a pet, no two have one certificate, and the next is due after the day of this one.
 * Operators name no pet.
 */
@Injectable()
export class DentalChecksService {
  constructor(
    private readonly records: DentalChecksRepository,
    private readonly pets: PetsService,
    private readonly database: Database,
  ) {}

  /** @throws PetNotFoundError or InvalidCursorError */
  async list(petId: bigint, query: PageQuery): Promise<Page<DentalCheckDto>> {
    await this.pets.get(petId);
    const page = await this.records.findPage(query, { petId });
    return { ...page, items: page.items.map(toDto) };
  }

  /** @throws PetNotFoundError, InvalidFieldError, CertificateTakenError or MissingReferenceError */
  add(petId: bigint, record: NewDentalCheckDto): Promise<Created<DentalCheckDto>> {
    return this.database.transaction(async () => {
      await this.pets.get(petId);
      const created = await this.stored(() =>
        this.records.insert(
          validated({
            petId,
            certificate: record.certificate,
            givenOn: record.givenOn,
            dueOn: record.dueOn ?? null,
            companionId: record.companionId ?? null,
          }),
        ),
      );
      return { item: created, path: `/pets/${petId}/dental-checks/${created.id}` };
    });
  }

  /** @throws DentalCheckNotFoundError */
  async get(petId: bigint, id: bigint): Promise<DentalCheckDto> {
    const record = await this.records.findOne(id);
    if (record?.petId !== petId) throw new DentalCheckNotFoundError();
    return toDto(record);
  }

  /** @throws DentalCheckNotFoundError, PreconditionFailedError, InvalidFieldError, CertificateTakenError or MissingReferenceError */
  update(
    id: bigint,
    patch: DentalCheckPatchDto,
    ifMatch = Precondition.NONE,
    petId?: bigint,
  ): Promise<DentalCheckDto> {
    return this.database.transaction(async () => {
      const record = await this.records.findOneForUpdate(id);
      if (!record || record.petId !== (petId ?? record.petId)) throw new DentalCheckNotFoundError();
      ifMatch.check(toDto(record));
      return this.stored(() => this.records.update(validated(applyMergePatch(record, patch))));
    });
  }

  /** @throws DentalCheckNotFoundError, PreconditionFailedError or StillReferencedError */
  delete(id: bigint, ifMatch = Precondition.NONE, petId?: bigint): Promise<void> {
    return this.database.transaction(async () => {
      const record = await this.records.findOneForUpdate(id);
      if (!record || record.petId !== (petId ?? record.petId)) throw new DentalCheckNotFoundError();
      ifMatch.check(toDto(record));
      await this.records.delete(id);
    });
  }

  private async stored(store: () => Promise<DentalCheck>): Promise<DentalCheckDto> {
    try {
      return toDto(await store());
    } catch (error) {
      throw isUniqueViolation(error) ? new CertificateTakenError({ cause: error }) : error;
    }
  }
}

function validated<T extends { readonly givenOn: string; readonly dueOn: string | null }>(record: T): T {
  if (record.dueOn !== null && record.dueOn <= record.givenOn) {
    throw new InvalidFieldError({ message: 'dueOn must be after givenOn.' });
  }
  return record;
}

function toDto(record: DentalCheck): DentalCheckDto {
  return {
    id: record.id,
    petId: record.petId,
    certificate: record.certificate,
    givenOn: record.givenOn,
    dueOn: record.dueOn ?? undefined,
    companionId: record.companionId ?? undefined,
  };
}
