import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { New } from '../platform/database/entities/entity-repository';
import { ReadOnlyMode } from '../platform/read-only/read-only-mode';
import { yieldToWriters } from '../platform/database/yield-to-writers';
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

/** Options to follow and to end a seed. */
export interface SeedProgress {
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
    private readonly readOnly: ReadOnlyMode,
  ) {}

  /**
   * Adds pets in batches, each stored as a whole.
   *
   * @returns number of pets stored: less than asked for if it was ended
   * @throws ReadOnlyError while the service takes no changes
   */
  async add(count: number, { signal, onBatch }: SeedProgress = {}): Promise<number> {
    this.readOnly.assertWritableByOperators();
    let stored = 0;
    while (stored < count) {
      if (signal?.aborted) break;
      const size = Math.min(BATCH_ROWS, count - stored);
      const batch = Array.from({ length: size }, (_, offset) => plausiblePet(stored + offset));
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

function pick<T>(choices: readonly T[], random: number): T {
  return choices[random % choices.length] as T;
}

/** The finalizer of MurmurHash3, which makes neighbours unlike each other. @returns an unsigned 32-bit integer */
function scramble(index: number): number {
  let hash = Math.imul(index ^ (index >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
