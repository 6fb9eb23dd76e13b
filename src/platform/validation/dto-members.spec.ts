import { ApiProperty } from '@nestjs/swagger';
import { IsInt } from 'class-validator';
import { dtoMembers } from './dto-members';

class ParentDto {
  @ApiProperty()
  documentedOnly!: string;
}

class ChildDto extends ParentDto {
  @IsInt()
  ruledOnly!: number;

  undeclared!: string;
}

describe('The members of a DTO class', () => {
  it('are those that class-validator or @ApiProperty() knows, also of a parent class', () => {
    const names = dtoMembers(ChildDto).map(({ name }) => name);
    expect(names.sort()).toEqual(['documentedOnly', 'ruledOnly']);
  });
});
