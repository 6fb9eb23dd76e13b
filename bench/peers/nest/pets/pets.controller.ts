import { Body, Controller, Get, Param, ParseIntPipe, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Pet } from './pet.entity';
import { CreatePetDto, ListPetsDto } from './pets.dto';
import { PetsService } from './pets.service';

@Controller('pets')
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  async list(
    @Query() query: ListPetsDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<Pet[]> {
    const pets = await this.pets.findPage(query);
    if (pets.length > query.limit) {
      pets.pop();
      const next = new URL(req.originalUrl, `${req.protocol}://${req.get('host')}`);
      next.searchParams.set('cursor', String(pets.at(-1)?.id));
      res.setHeader('Link', `<${next.href}>; rel="next"`);
    }
    return pets;
  }

  @Get(':petId')
  get(@Param('petId', ParseIntPipe) petId: number): Promise<Pet> {
    return this.pets.findOne(petId);
  }

  @Post()
  create(@Body() dto: CreatePetDto): Promise<Pet> {
    return this.pets.create(dto);
  }
}
