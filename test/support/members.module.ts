import { Injectable, Module } from '@nestjs/common';
import { Column, Entity, type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import {
  columnTypes,
  GeneratedInt64Key,
  RemovedAtColumn,
  TextColumn,
} from '../../src/platform/database/column-types';
import { Database } from '../../src/platform/database/database';
import { EntityRepository } from '../../src/platform/database/entities/entity-repository';
import { adminRecords, type AdminRecordsService } from '../../src/platform/features/admin-records';
import { Feature } from '../../src/platform/features/feature.decorator';
import type { Created } from '../../src/platform/http/response/created';
import { Int64Field, IntegerField, StringField } from '../../src/platform/validation/fields';
import { MergePatchType, type MergePatch } from '../../src/platform/validation/merge-patch';

/** A person, of whom two columns tell. */
@Entity('members')
export class Member {
  @GeneratedInt64Key('pk_members')
  id!: bigint;

  @TextColumn()
  name!: string;

  @TextColumn({ nullable: true })
  email?: string | null;

  @Column({ type: 'integer' })
  points!: number;

  @RemovedAtColumn()
  removedAt?: Date | null;
}

class NewMemberDto {
  @StringField({ description: 'The name.', example: 'Ana', isPersonal: true }) name!: string;
  @StringField({ description: 'The address.', example: 'ana@example.com', optional: true, isPersonal: true })
  email?: string;
  @IntegerField({ description: 'Points.', example: 3 }) points!: number;
}

class MemberPatchDto extends MergePatchType(NewMemberDto) {}

class MemberDto extends NewMemberDto {
  @Int64Field({ description: 'The id.', example: 1 }) id!: bigint;
}

@Injectable()
class MembersService implements AdminRecordsService<MemberDto, NewMemberDto> {
  private readonly members = new EntityRepository(this.database, Member);

  constructor(private readonly database: Database) {}

  async create(member: NewMemberDto): Promise<Created<MemberDto>> {
    const { id } = await this.members.insert({
      name: member.name,
      email: member.email ?? null,
      points: member.points,
    });
    return { item: { ...member, id }, path: `/members/${id}` };
  }

  async update(id: bigint, patch: MergePatch<NewMemberDto>): Promise<MemberDto> {
    const member = (await this.members.findOne(id)) as Member;
    return toDto(await this.members.update({ ...member, ...defined(patch) }));
  }

  async delete(id: bigint): Promise<void> {
    await this.members.delete(id);
  }
}

/** Leaves out the members that a patch does not change. */
function defined(patch: object): object {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

function toDto({ id, name, email, points }: Member): MemberDto {
  return { id, name, ...(email && { email }), points };
}

export const MEMBERS_ADMIN = adminRecords({
  name: 'members',
  one: 'member',
  entity: Member,
  record: MemberDto,
  creation: NewMemberDto,
  patch: MemberPatchDto,
  service: MembersService,
});

/** A module whose records identify people. */
@Feature({ description: 'The members of the store.', admin: MEMBERS_ADMIN })
@Module({ providers: [MembersService] })
export class MembersModule {}

export class CreateMembers1790000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'members',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_members',
          },
          { name: 'name', type: text },
          { name: 'email', type: text, isNullable: true },
          { name: 'points', type: integer },
          { name: 'removed_at', type: instant, isNullable: true },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('members');
  }
}
