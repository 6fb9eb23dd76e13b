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
import { NewDentalCheckDto, DentalCheckDto, DentalCheckPatchDto } from './dental-checks.dto';
import { CertificateTakenError, DentalCheckNotFoundError } from './dental-checks.errors';
import { DentalChecksService } from './dental-checks.service';

function PetId(): ParameterDecorator {
  return Int64Param('petId', PetNotFoundError, 'Identifier of the pet.');
}

function RecordId(): ParameterDecorator {
  return Int64Param('dentalCheckId', DentalCheckNotFoundError, 'Identifier of the dental check.');
}

@ApiTags('dental-checks')
@Controller('pets/:petId/dental-checks')
export class DentalChecksController {
  constructor(private readonly records: DentalChecksService) {}

  @Get()
  @RequireScopes('dental-checks:read')
  @ApiOperation({ summary: 'List the dental checks of a pet', description: 'Lists them a page at a time.' })
  @PageResponse(DentalCheckDto, 'DentalChecks', 'One page of dental checks.')
  @ErrorResponse(PetNotFoundError, 'No animal has this identifier.')
  listDentalChecks(@PetId() petId: bigint, @Query() query: PageQuery): Promise<Page<DentalCheckDto>> {
    return this.records.list(petId, query);
  }

  @Post()
  @RequireScopes('dental-checks:write')
  @ApiOperation({ summary: 'Note a dental check', description: 'Notes a dental check of a pet.' })
  @CreatedResponse(DentalCheckDto, 'The dental check was noted.')
  @ErrorResponse(PetNotFoundError, 'No animal has this identifier.')
  @ErrorResponse(CertificateTakenError, 'Another dental check has the certificate.')
  @ErrorResponse(MissingReferenceError, 'The companion does not exist.')
  createDentalCheck(
    @PetId() petId: bigint,
    @Body() record: NewDentalCheckDto,
    @Once() once: Once,
  ): Promise<Created<DentalCheckDto>> {
    return once(() => this.records.add(petId, record));
  }

  @Get(':dentalCheckId')
  @RequireScopes('dental-checks:read')
  @ApiOperation({ summary: 'Get a dental check', description: 'Returns one dental check of a pet.' })
  @OkResponse(DentalCheckDto, 'The dental check.')
  @ErrorResponse(PetNotFoundError, 'The pet is no identifier.')
  @ErrorResponse(DentalCheckNotFoundError, 'The pet has no such dental check.')
  getDentalCheck(@PetId() petId: bigint, @RecordId() id: bigint): Promise<DentalCheckDto> {
    return this.records.get(petId, id);
  }

  @Patch(':dentalCheckId')
  @RequireScopes('dental-checks:write')
  @ApiOperation({ summary: 'Change a dental check', description: 'Changes the members given.' })
  @OkResponse(DentalCheckDto, 'The dental check as it is now.')
  @ErrorResponse(PetNotFoundError, 'The pet is no identifier.')
  @ErrorResponse(DentalCheckNotFoundError, 'The pet has no such dental check.')
  @ErrorResponse(CertificateTakenError, 'Another dental check has the certificate.')
  @ErrorResponse(MissingReferenceError, 'The companion does not exist.')
  updateDentalCheck(
    @PetId() petId: bigint,
    @RecordId() id: bigint,
    @Body() patch: DentalCheckPatchDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<DentalCheckDto> {
    return this.records.update(id, patch, ifMatch, petId);
  }

  @Delete(':dentalCheckId')
  @RequireScopes('dental-checks:write')
  @ApiOperation({ summary: 'Delete a dental check', description: 'Deletes one dental check for good.' })
  @NoContentResponse('The dental check was deleted.')
  @ErrorResponse(PetNotFoundError, 'The pet is no identifier.')
  @ErrorResponse(DentalCheckNotFoundError, 'The pet has no such dental check.')
  @ErrorResponse(StillReferencedError, 'Something else still refers to it.')
  deleteDentalCheck(
    @PetId() petId: bigint,
    @RecordId() id: bigint,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    return this.records.delete(id, ifMatch, petId);
  }
}
