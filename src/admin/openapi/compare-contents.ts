import { appearance, breaking, type Change, type Direction, harmless } from './change';
import type { SchemaComparison } from './compare-schemas';
import { asNode, membersOf, type Node } from './document-node';

/** Compares what is sent or got by its media type. */
export function compareContents(
  old: unknown,
  now: unknown,
  direction: Direction,
  at: string,
  schemas: SchemaComparison,
): Change[] {
  const [olds, nows] = [membersOf(old), membersOf(now)];
  return [...new Set([...olds.keys(), ...nows.keys()])].flatMap((type) => {
    const where = `${at} ${type}`;
    if (!nows.has(type)) return [appearance(where, 'media type', 'removed')];
    if (!olds.has(type)) return [appearance(where, 'media type', 'added')];
    return schemas.compare(asNode(olds.get(type)).schema, asNode(nows.get(type)).schema, direction, where);
  });
}

/** Whether a parameter or a body may be left out. */
export function compareRequired(old: Node, now: Node, at: string, noun: string): Change[] {
  const [was, is] = [old.required === true, now.required === true];
  if (was === is) return [];
  return [
    is ? breaking(at, `The ${noun} is required now.`) : harmless(at, `The ${noun} is required no more.`),
  ];
}
