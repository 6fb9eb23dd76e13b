import { getMetadataArgsStorage, type MigrationInterface } from 'typeorm';

/** Entities and migrations that come from one place. */
export interface SchemaPart {
  /** Origin of these parts, for a sentence: `LoyaltyModule`. */
  readonly owner: string;
  readonly entities: readonly Function[];
  readonly migrations: readonly Function[];
}

/** The name by which TypeORM knows a migration. */
export function migrationName(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
}

const TIME_DIGITS = 13;

/** The last digits of a migration's name, a time in milliseconds, by which TypeORM orders them. */
export function migrationTime(name: string): number {
  return Number(name.slice(-TIME_DIGITS));
}

/**
 * Refuses tables and migrations that two owners claim: TypeORM would take the migration that comes second for one that has
 * been applied, and run two of one time in either order.
 *
 * @throws Error naming both owners, in one sentence
 */
export function refuseCollisions(parts: readonly SchemaPart[]): void {
  const tables = new NameRegistry((name) => `both have a table "${name}"`);
  const names = new NameRegistry((name) => `both have a migration ${name}`);
  const times = new NameRegistry((time) => `both have a migration of the time ${time}`);
  for (const { owner, entities, migrations } of parts) {
    for (const entity of entities) tables.add(tableOf(entity), { owner, class: entity });
    for (const migration of migrations) {
      const name = nameOf(migration);
      names.add(name, { owner, class: migration });
      times.add(String(migrationTime(name)), { owner, class: migration });
    }
  }
}

interface NameOwner {
  readonly owner: string;
  readonly class: Function;
}

class NameRegistry {
  private readonly byKey = new Map<string, NameOwner>();

  constructor(private readonly fault: (key: string) => string) {}

  add(key: string, candidate: NameOwner): void {
    const first = this.byKey.get(key) ?? candidate;
    if (first.class !== candidate.class && first.owner !== candidate.owner) {
      throw new Error(`${first.owner} and ${candidate.owner} ${this.fault(key)}: rename one of the two.`);
    }
    this.byKey.set(key, first);
  }
}

function tableOf(entity: Function): string {
  return getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? entity.name;
}

/** Returns the name by which TypeORM finds a migration. */
function nameOf(migration: Function): string {
  return new (migration as new () => MigrationInterface)().name ?? migration.name;
}
