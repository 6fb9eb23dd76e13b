import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmail,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  registerDecorator,
  ValidateNested,
} from 'class-validator';

export class ChapterDto {
  @ApiProperty()
  @IsString()
  @MaxLength(20)
  title!: string;

  @ApiProperty({ minimum: 1, maximum: 10 })
  @IsInt()
  @Min(1)
  @Max(10)
  pages!: number;
}

export class NewBookDto {
  @ApiProperty()
  @IsString()
  @Matches(/^[A-Z]/, { message: 'title must begin with a capital.' })
  title!: string;

  @ApiProperty()
  @IsInt()
  @Min(0)
  year!: number;

  @ApiProperty()
  @IsNumber()
  price!: number;

  @ApiProperty({ required: false })
  @IsOptional()
  @IsEmail()
  contact?: string;

  @ApiProperty({ type: [ChapterDto] })
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => ChapterDto)
  chapters!: ChapterDto[];

  @ApiProperty({ required: false })
  note?: string;
}

export class FindBooksDto {
  @ApiProperty({ required: false })
  @IsOptional()
  @IsString()
  author?: string;
}

/** A rule that looks something up, as rules of one's own do. */
function IsFree(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isFree',
      async: true,
      target: target.constructor,
      propertyName: propertyName as string,
      validator: {
        validate: async (value: unknown) => (await Promise.resolve(value)) !== 'taken',
        defaultMessage: () => 'shelf is taken.',
      },
    });
}

export class ShelfDto {
  @ApiProperty()
  @IsFree()
  shelf!: string;
}
