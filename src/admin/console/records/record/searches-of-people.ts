import { Injectable } from '@nestjs/common';

/**
 * Runs one search at a time for each person, in each process: one who types begins many. A search waits for the one that runs,
 * and is left out when a newer one waits as well.
 */
@Injectable()
export class SearchesOfPeople {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly newest = new Map<string, symbol>();

  /** @returns undefined if a newer search of the same person took its place */
  async run<T>(person: string, search: () => Promise<T>): Promise<T | undefined> {
    const turn = Symbol();
    this.newest.set(person, turn);
    while (this.running.has(person)) await this.running.get(person)?.catch(() => undefined);
    if (this.newest.get(person) !== turn) return undefined;
    const work = search();
    this.running.set(person, work);
    try {
      return await work;
    } finally {
      this.running.delete(person);
      if (this.newest.get(person) === turn) this.newest.delete(person);
    }
  }
}
