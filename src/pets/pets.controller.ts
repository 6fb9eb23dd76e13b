import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CacheResponse,
  type Created,
  CreatedResponse,
  DeprecatedOperation,
  ErrorResponse,
  Int64Param,
  OkResponse,
  Once,
  type Page,
  PageResponse,
  RequireScopes,
} from '@petstore/platform';
import { ListPetsQuery } from './dto/list-pets.query';
import { NewPetDto } from './dto/new-pet.dto';
import { PetDto } from './dto/pet.dto';
import { PetNotFoundError } from './pets.errors';
import { PetsService } from './pets.service';

@ApiTags('pets')
@Controller('pets')
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  @RequireScopes('pets:read')
  @ApiOperation({
    summary: 'List animals',
    description:
      'Lists animals in ascending order of `id`, a page at a time. While there is more, the `Link` header names the next page.',
  })
  @CacheResponse()
  @PageResponse(PetDto, 'Pets', 'One page of animals.')
  listPets(@Query() query: ListPetsQuery): Promise<Page<PetDto>> {
    return this.pets.list(query);
  }

  @Post()
  @RequireScopes('pets:write')
  @ApiOperation({ summary: 'Add an animal', description: 'Adds an animal; the service assigns its `id`.' })
  @CreatedResponse(PetDto, 'The animal was added.')
  createPet(@Body() pet: NewPetDto, @Once() once: Once): Promise<Created<PetDto>> {
    return once(() => this.pets.create(pet));
  }

  @Get(':petId')
  @RequireScopes('pets:read')
  @DeprecatedOperation({
    since: new Date('2025-12-05T00:00:00Z'),
    sunset: new Date('2030-12-05T00:00:00Z'),
    successor: '/pets',
    replacement: '`GET /pets` with the `status` filter',
  })
  @ApiOperation({ summary: 'Get an animal', description: 'Returns one animal.' })
  @OkResponse(PetDto, 'The animal.')
  @ErrorResponse(PetNotFoundError, 'No animal has this identifier.')
  getPet(
    @Int64Param('petId', PetNotFoundError, 'Identifier of the animal to retrieve.') petId: bigint,
  ): Promise<PetDto> {
    return this.pets.get(petId);
  }
}
