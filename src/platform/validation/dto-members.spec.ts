import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Validate, ValidateNested, ValidatorConstraint } from 'class-validator';
import { dtoMembers, hasAsyncRules } from './dto-members';

class ParentDto {
  @ApiProperty()
  documentedOnly!: string;
}

class ChildDto extends ParentDto {
  @IsInt()
  ruledOnly!: number;

  undeclared!: string;
}

@ValidatorConstraint({ async: true })
class IsKnown {
  validate(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

class KeeperDto {
  @ValidateNested()
  @Type(() => AnimalDto)
  animal?: object;
}

class ChipDto {
  @Validate(IsKnown)
  number!: string;
}

class AnimalDto {
  @ValidateNested()
  @Type(() => KeeperDto)
  keeper?: object;

  @ValidateNested()
  @Type(() => ChipDto)
  chip?: ChipDto;
}

describe('Asynchronous rules', () => {
  it('are found through classes that hold each other, whichever is asked about first', () => {
    expect([AnimalDto, KeeperDto, ChildDto].map(hasAsyncRules)).toEqual([true, true, false]);
  });
});

describe('The members of a DTO class', () => {
  it('are those that class-validator or @ApiProperty() knows, also of a parent class', () => {
    const names = dtoMembers(ChildDto).map(({ name }) => name);
    expect(names.sort()).toEqual(['documentedOnly', 'ruledOnly']);
  });
});
