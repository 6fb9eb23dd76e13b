import type { DataSource } from 'typeorm';
import { exactJson } from '../values/exact-json';
import { readJson } from '../values/json-reader';

type Engine = 'sqlite' | 'postgres';

/** One item of an array that a row holds. */
export type ArrayItem = bigint | number | string | boolean | Date;

/** An array as its column takes it: PostgreSQL has arrays of every type, SQLite gets JSON. */
export function arrayText(items: readonly ArrayItem[], engine: Engine): string {
  if (engine === 'sqlite') return exactJson(items);
  const texts = items.map((item) => (item instanceof Date ? item.toISOString() : String(item)));
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Makes a driver convert each item of a column that is an array as it converts the value of another column. */
export function adaptArrayColumns({ driver }: DataSource, engine: Engine): void {
  const toDatabase = driver.preparePersistentValue.bind(driver);
  const fromDatabase = driver.prepareHydratedValue.bind(driver);
  const fullType = driver.createFullType.bind(driver);
  // TypeORM would call it `text array`.
  if (engine === 'sqlite')
    driver.createFullType = (column) => (column.isArray ? column.type : fullType(column));
  driver.preparePersistentValue = (value: unknown, column) => {
    if (!column.isArray || !Array.isArray(value)) return toDatabase(value, column) as unknown;
    return engine === 'sqlite'
      ? arrayText(value as ArrayItem[], engine)
      : value.map((item) => toDatabase(item, column) as unknown);
  };
  driver.prepareHydratedValue = (value: unknown, column) => {
    if (!column.isArray || value === null || value === undefined)
      return fromDatabase(value, column) as unknown;
    const items = typeof value === 'string' ? itemsOf(value, column.type === 'bigint') : (value as unknown[]);
    return items.map((item) => fromDatabase(item, column) as unknown);
  };
}

/** The items of an array in JSON, integers exactly where a double could not have them. */
function itemsOf(json: string, isExact: boolean): unknown[] {
  return (isExact ? readJson(Buffer.from(json)) : JSON.parse(json)) as unknown[];
}
