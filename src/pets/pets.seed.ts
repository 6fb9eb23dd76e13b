import { Injectable } from '@nestjs/common';
import { Database, type New, yieldToWriters } from '@petstore/platform';
import { PetStatus } from './pet-status';
import type { Pet } from './pet.entity';
import { PetsRepository } from './pets.repository';

const NAMES =
  'Bella Luna Max Charlie Milo Daisy Rocky Coco Nala Simba Ruby Oscar Willow Rex Mia Toby Hazel Bruno Pepper Finn Olive Shadow Maple Ziggy'.split(
    ' ',
  );
const SURNAMES = ['', ' the Brave', ' the Second', ' Junior', ' of the Hill', ' Longtail', ' Softpaw'];
const STATUSES = [PetStatus.Available, PetStatus.Available, PetStatus.Pending, PetStatus.Sold, null];
const CATEGORIES = 10;

/** Rows of one batch: about 5 ms of SQLite's write lock. */
const BATCH_ROWS = 1_000;

/** Age of the oldest pet of years of trade. */
const OLDEST_YEARS = 8;

/** The age of pets of a status in years of trade, as a part of all pets, from the oldest on: `status` until `until`. */
const STATUSES_BY_AGE = [
  { until: 0.02, status: null },
  { until: 0.85, status: PetStatus.Sold },
  { until: 0.99, status: PetStatus.Available },
  { until: 1, status: PetStatus.Pending },
];

/** Part of all pets, from the oldest on, of which nearly all have been removed. */
const REMOVED_UNTIL = 0.33;

/** Every so many of them is still there. */
const KEPT_EVERY = 50;

/** Options of a seed, to follow it and to end it. */
export interface SeedOptions {
  /** Adds pets as years leave them: status goes with age, and most of the oldest are removed. */
  readonly isAged?: boolean;
  /** Ends it after the batch in progress. */
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of pets stored so far. */
  readonly onBatch?: (stored: number) => void;
}

/** Fills the store with made-up pets, the same ones each time. */
@Injectable()
export class PetsSeed {
  constructor(
    private readonly pets: PetsRepository,
    private readonly database: Database,
  ) {}

  /**
   * Adds pets in batches, each stored as a whole.
   *
   * @returns number of pets stored: less than asked for if it was ended
   */
  async add(count: number, { isAged = false, signal, onBatch }: SeedOptions = {}): Promise<number> {
    const oldest = new Date();
    oldest.setUTCFullYear(oldest.getUTCFullYear() - OLDEST_YEARS);
    let stored = 0;
    while (stored < count) {
      if (signal?.aborted) break;
      const size = Math.min(BATCH_ROWS, count - stored);
      const batch = Array.from({ length: size }, (_, offset) => {
        const pet = plausiblePet(stored + offset);
        return isAged ? agedPet(pet, stored + offset, count, oldest) : pet;
      });
      const begun = performance.now();
      await this.pets.insertMany(batch);
      stored += size;
      onBatch?.(stored);
      await yieldToWriters(this.database, begun);
    }
    return stored;
  }
}

/** The pet at a position of the sequence; always the same for the same position. */
function plausiblePet(index: number): New<Pet> {
  const random = scramble(index);
  return {
    name: `${pick(NAMES, random)}${pick(SURNAMES, random >>> 8)}`,
    categoryId: BigInt(1 + ((random >>> 16) % CATEGORIES)),
    status: pick(STATUSES, random >>> 4),
  };
}

/** The pet at a position of years of trade: of a number of pets, the oldest first. */
function agedPet(pet: New<Pet>, index: number, count: number, oldest: Date): New<Pet> {
  const part = index / count;
  const age = Date.now() - oldest.getTime();
  const createdAt = new Date(oldest.getTime() + part * age);
  const isRemoved = part < REMOVED_UNTIL && index % KEPT_EVERY > 0;
  const { status } = STATUSES_BY_AGE.find(({ until }) => part < until) as (typeof STATUSES_BY_AGE)[number];
  return {
    ...pet,
    status,
    createdAt,
    removedAt: isRemoved ? new Date(createdAt.getTime() + age / 2) : null,
  };
}

function pick<T>(choices: readonly T[], random: number): T {
  return choices[random % choices.length] as T;
}

/** The finalizer of MurmurHash3, which makes neighbours unlike each other. @returns an unsigned 32-bit integer */
function scramble(index: number): number {
  let hash = Math.imul(index ^ (index >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
