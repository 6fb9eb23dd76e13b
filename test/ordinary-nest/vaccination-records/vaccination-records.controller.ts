import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PetNotFoundError } from '../../../src/pets/pets.errors';
import type { Page } from '../../../src/platform/database/statements/page';
import { MissingReferenceError, StillReferencedError } from '../../../src/platform/errors/http-errors';
import { Once } from '../../../src/platform/http/idempotency/once';
import {
  CreatedResponse,
  ErrorResponse,
  NoContentResponse,
  OkResponse,
  PageResponse,
} from '../../../src/platform/http/operations/response.decorators';
import { PageQuery } from '../../../src/platform/http/request/page-query';
import { IfMatch, Precondition } from '../../../src/platform/http/request/precondition';
import type { Created } from '../../../src/platform/http/response/created';
import { RequireScopes } from '../../../src/platform/security/access.decorators';
import { Int64Param } from '../../../src/platform/validation/int64-param.decorator';
import {
  NewVaccinationRecordDto,
  VaccinationRecordDto,
  VaccinationRecordPatchDto,
} from './vaccination-records.dto';
import { CertificateTakenError, VaccinationRecordNotFoundError } from './vaccination-records.errors';
import { VaccinationRecordsService } from './vaccination-records.service';

function PetId(): ParameterDecorator {
  return Int64Param('petId', PetNotFoundError, 'Identifier of the pet.');
}

function RecordId(): ParameterDecorator {
  return Int64Param('vaccinationRecordId', VaccinationRecordNotFoundError, 'Identifier of the vaccination.');
}

@ApiTags('vaccination-records')
@Controller('pets/:petId/vaccination-records')
export class VaccinationRecordsController {
  constructor(private readonly records: VaccinationRecordsService) {}

  @Get()
  @RequireScopes('vaccination-records:read')
  @ApiOperation({ summary: 'List the vaccinations of a pet', description: 'Lists them a page at a time.' })
  @PageResponse(VaccinationRecordDto, 'VaccinationRecords', 'One page of vaccinations.')
  @ErrorResponse(PetNotFoundError, 'No animal has this identifier.')
  listVaccinationRecords(
    @PetId() petId: bigint,
    @Query() query: PageQuery,
  ): Promise<Page<VaccinationRecordDto>> {
    return this.records.list(petId, query);
  }

  @Post()
  @RequireScopes('vaccination-records:write')
  @ApiOperation({ summary: 'Note a vaccination', description: 'Notes a vaccination of a pet.' })
  @CreatedResponse(VaccinationRecordDto, 'The vaccination was noted.')
  @ErrorResponse(PetNotFoundError, 'No animal has this identifier.')
  @ErrorResponse(CertificateTakenError, 'Another vaccination has the certificate.')
  @ErrorResponse(MissingReferenceError, 'The companion does not exist.')
  createVaccinationRecord(
    @PetId() petId: bigint,
    @Body() record: NewVaccinationRecordDto,
    @Once() once: Once,
  ): Promise<Created<VaccinationRecordDto>> {
    return once(() => this.records.add(petId, record));
  }

  @Get(':vaccinationRecordId')
  @RequireScopes('vaccination-records:read')
  @ApiOperation({ summary: 'Get a vaccination', description: 'Returns one vaccination of a pet.' })
  @OkResponse(VaccinationRecordDto, 'The vaccination.')
  @ErrorResponse(PetNotFoundError, 'The pet is no identifier.')
  @ErrorResponse(VaccinationRecordNotFoundError, 'The pet has no such vaccination.')
  getVaccinationRecord(@PetId() petId: bigint, @RecordId() id: bigint): Promise<VaccinationRecordDto> {
    return this.records.get(petId, id);
  }

  @Patch(':vaccinationRecordId')
  @RequireScopes('vaccination-records:write')
  @ApiOperation({ summary: 'Change a vaccination', description: 'Changes the members given.' })
  @OkResponse(VaccinationRecordDto, 'The vaccination as it is now.')
  @ErrorResponse(PetNotFoundError, 'The pet is no identifier.')
  @ErrorResponse(VaccinationRecordNotFoundError, 'The pet has no such vaccination.')
  @ErrorResponse(CertificateTakenError, 'Another vaccination has the certificate.')
  @ErrorResponse(MissingReferenceError, 'The companion does not exist.')
  updateVaccinationRecord(
    @PetId() petId: bigint,
    @RecordId() id: bigint,
    @Body() patch: VaccinationRecordPatchDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<VaccinationRecordDto> {
    return this.records.update(id, patch, ifMatch, petId);
  }

  @Delete(':vaccinationRecordId')
  @RequireScopes('vaccination-records:write')
  @ApiOperation({ summary: 'Delete a vaccination', description: 'Deletes one vaccination for good.' })
  @NoContentResponse('The vaccination was deleted.')
  @ErrorResponse(PetNotFoundError, 'The pet is no identifier.')
  @ErrorResponse(VaccinationRecordNotFoundError, 'The pet has no such vaccination.')
  @ErrorResponse(StillReferencedError, 'Something else still refers to it.')
  deleteVaccinationRecord(
    @PetId() petId: bigint,
    @RecordId() id: bigint,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    return this.records.delete(id, ifMatch, petId);
  }
}
