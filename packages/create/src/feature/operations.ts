import { Refusal } from '../refusal.ts';

/** Operations that a feature can offer to clients, in the order of its controller. Operators can do all of them. */
export const OPERATIONS = ['list', 'create', 'get', 'update', 'delete'] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Operations, each true if the feature has it. */
export type Operations = Readonly<Record<Operation, boolean>>;

/**
 * Reads names of operations, separated by commas or spaces; undefined means all of them.
 *
 * @throws Refusal
 */
export function readOperations(text: string | undefined): Operations {
  const chosen: readonly string[] = text?.split(/[\s,]+/).filter((name) => name !== '') ?? OPERATIONS;
  const unknown = chosen.find((name) => !(OPERATIONS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new Refusal(
      `${JSON.stringify(unknown)} is not an operation: choose from ${OPERATIONS.join(', ')}.`,
    );
  }
  if (chosen.length === 0) {
    throw new Refusal(`A feature needs at least one of the operations ${OPERATIONS.join(', ')}.`);
  }
  return Object.fromEntries(OPERATIONS.map((name) => [name, chosen.includes(name)])) as Operations;
}
