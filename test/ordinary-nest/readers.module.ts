import { Body, Controller, Get, HttpCode, Module, Patch, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsBooleanString,
  IsDateString,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsFQDN,
  IsIn,
  IsInt,
  IsIP,
  IsNegative,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { RequireScopes } from '../../src/platform/security/access.decorators';

enum Level {
  Guest = 'guest',
  Member = 'member',
}

/** Numbered, as enums are without values of their own. */
enum Shelf {
  Low,
  High,
}

class AddressDto {
  @IsString()
  @MaxLength(80)
  street!: string;

  /** Where to send letters if this address fails: a class that contains itself. */
  @IsOptional()
  @ValidateNested()
  @Type(() => AddressDto)
  other?: AddressDto;
}

/** Written without a word for the document. */
class NewReaderDto {
  @IsString()
  @Length(2, 40)
  name!: string;

  @IsNotEmpty()
  @MinLength(3)
  nick!: string;

  @IsOptional()
  @Matches(/^[a-z]+$/)
  code?: string;

  @Matches(/^[a-z]+$/i)
  word!: string;

  @IsInt()
  @Min(6)
  @Max(120)
  age!: number;

  @IsNumber()
  @IsPositive()
  @IsDivisibleBy(0.5)
  height!: number;

  @IsNegative()
  debt!: number;

  @IsEmail()
  email!: string;

  @IsUUID()
  card!: string;

  @IsUrl()
  page!: string;

  @IsFQDN()
  host!: string;

  @IsIP(4)
  address4!: string;

  @IsDateString()
  born!: string;

  @IsIn(['de', 'en'])
  language!: string;

  @IsEnum(Level)
  level!: Level;

  @IsEnum(Shelf)
  shelf!: Shelf;

  @Equals(true)
  agreed!: boolean;

  @IsBoolean()
  active!: boolean;

  @IsBooleanString()
  flag!: string;

  @ValidateIf((reader: NewReaderDto) => reader.active)
  @IsString()
  reason!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(5)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(10, { each: true })
  tags!: string[];

  @ArrayNotEmpty()
  @IsEnum(Level, { each: true })
  levels!: Level[];

  @IsArray()
  anything!: unknown[];

  @ValidateNested()
  @Type(() => AddressDto)
  home!: AddressDto;

  @ValidateNested({ each: true })
  @Type(() => AddressDto)
  addresses!: AddressDto[];

  @Type(() => Date)
  @Allow()
  since!: Date;
}

class ReaderPatchDto extends PartialType(NewReaderDto) {}

/** Says some things itself. */
class StatedDto {
  @ApiProperty({ maxLength: 5, description: 'A short name.', required: true })
  @IsOptional()
  @MaxLength(10)
  name?: string;

  @ApiProperty()
  @IsInt()
  @Min(1)
  age!: number;

  @ApiProperty({ type: [String], example: ['a'] })
  @ArrayMaxSize(2)
  @MaxLength(10, { each: true })
  tags!: string[];

  @ApiProperty({ enum: Level, enumName: 'Level' })
  @IsEnum(Level)
  level!: Level;
}

class FindReadersDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @IsPositive()
  page?: number;

  @IsIn(['name', 'age'])
  sort!: string;
}

class ReaderDto {
  @ApiProperty({ example: 'Ana' })
  name!: string;
}

@RequireScopes('readers:read')
@ApiExtraModels(ReaderDto)
@Controller('readers')
class ReadersController {
  @Get()
  find(@Query() query: FindReadersDto): object {
    return { ...query };
  }

  @Post()
  create(@Body() reader: NewReaderDto): object {
    return reader;
  }

  @Patch()
  @HttpCode(202)
  update(@Body() reader: ReaderPatchDto): object {
    return reader;
  }

  @Post('stated')
  @ApiOperation({ summary: 'Says it itself' })
  @ApiOkResponse({ type: ReaderDto, description: 'The reader.' })
  @HttpCode(200)
  stated(@Body() reader: StatedDto): object {
    return reader;
  }
}

@Module({ controllers: [ReadersController] })
export class ReadersModule {}
