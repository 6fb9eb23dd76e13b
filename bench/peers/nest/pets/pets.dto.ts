import { Type } from 'class-transformer';
import { IsEnum, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { PetStatus } from './pet.entity';

export class ListPetsDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  cursor?: number;
}

export class CreatePetDto {
  @IsString()
  name!: string;

  @IsInt()
  categoryId!: number;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;
}
