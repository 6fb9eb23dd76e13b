import { InvalidArgumentError } from 'commander';
import { readNetwork } from '../security/networks';
import { parseDecimalInt64 } from '../values/int64';
import {
  InvalidValueError,
  parseDuration,
  parseDurationOrZero,
  parseInstant,
} from '../values/written-values';

/** Returns a reader for an option or an argument, which commander names in the message of an {@link InvalidArgumentError}. */
export function optionReader<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof InvalidValueError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Reads a duration such as `30m`, into milliseconds. */
export const readDuration = optionReader(parseDuration);

/** Does the same as {@link readDuration}, and takes `0` with or without a unit. */
export const readDurationOrZero = optionReader(parseDurationOrZero);

/**
 * Reads a positive whole number.
 *
 * @throws InvalidArgumentError
 */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    throw new InvalidArgumentError('Write a whole number from 1 to 999999999999.');
  }
  return Number(text);
}

/** Returns a reader of whole numbers from 1 to the most that is allowed. */
export function readUpTo(most: number): (text: string) => number {
  return optionReader((text) => {
    if (/^[1-9]\d{0,11}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidValueError(`Write a whole number from 1 to ${most}.`);
  });
}

const readOneNetwork = optionReader(readNetwork);

/** Reads a network such as `192.0.2.0/24`; the option may be given several times. */
export function readNetworks(text: string, before: readonly string[] | false = []): string[] {
  return [...(before || []), readOneNetwork(text)];
}

/**
 * Takes a text as it is. A text that looks like an option is refused: the value was forgotten.
 *
 * @throws InvalidArgumentError
 */
export function readText(value: string): string {
  if (value.startsWith('--'))
    throw new InvalidArgumentError('The value is missing: this text looks like an option.');
  if (value.trim() === '') throw new InvalidArgumentError('The value must not be empty.');
  return value;
}

/** Reads names separated by commas; the option may be given several times. */
export function readNames(value: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...readText(value)
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ];
}

/** Reads a point in time such as `2026-01-31T12:00:00Z`; a day alone is its beginning in UTC. */
export const readInstant = optionReader(parseInstant);

/**
 * Reads the id of a record.
 *
 * @throws InvalidArgumentError
 */
export function readId(text: string): bigint {
  const id = parseDecimalInt64(text);
  if (id === undefined) throw new InvalidArgumentError('An id is an integer.');
  return id;
}

/** Collects ids without duplicates. @throws InvalidArgumentError */
export function readIds(text: string, before: readonly bigint[] = []): bigint[] {
  return [...new Set([...before, readId(text)])];
}
