import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FaultLog } from '../../../platform/logging/fault-log';
import type { AdminSession } from './admin-session.entity';
import { PersonChoice } from './person-choice.entity';

/** Limit of choices that are read for a page: one of each record type, and some. */
const MOST = 500;

/** Length to which a choice is cut, in characters. */
const MAX_VALUE = 5_000;

/**
 * Choices of how people see the console. They go with the person to every browser, like saved views: with the person who signed
 * in by OIDC, or with the API key and its rotations.
 */
@Injectable()
export class PersonChoices {
  private readonly choices = this.dataSource.getRepository(PersonChoice);

  constructor(
    private readonly dataSource: DataSource,
    private readonly faults: FaultLog,
  ) {}

  /** The choices of the person who has a session, by their names; none where they cannot be read. */
  async of({ lineageId: owner }: AdminSession): Promise<ReadonlyMap<string, string>> {
    try {
      const found = await this.choices.find({ where: { owner }, take: MOST });
      return new Map(found.map(({ name, value }) => [name, value]));
    } catch (error) {
      // Before the migration that makes the table, the console has to show what is pending.
      this.faults.error(error, "A person's choices cannot be read: pages look as they do at first.");
      return new Map();
    }
  }

  /** Stores a choice; an empty value removes it. */
  async choose({ lineageId: owner }: AdminSession, name: string, value: string): Promise<void> {
    if (value === '') await this.choices.delete({ owner, name });
    else await this.choices.upsert({ owner, name, value: value.slice(0, MAX_VALUE) }, ['owner', 'name']);
  }
}
