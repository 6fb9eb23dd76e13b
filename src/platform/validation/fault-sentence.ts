import type { ValidationError } from 'class-validator';
import type { FieldFault } from '../errors/app-error';
import { ruleFaultOf } from './field-rule';

/** Words about a missing member. */
const REQUIRED = 'is required';

/**
 * Describes the fault of a member in one sentence that names it by its path, `lines[1].quantity`: a missing member is required,
 * any other has the message of its rule.
 *
 * @param given the members before class-transformer changed them, which may turn a value into undefined
 */
export function faultSentence(outermost: ValidationError, given: unknown): string {
  let fault = outermost;
  let path = fault.property;
  let holder = given;
  while (!fault.constraints && fault.children?.[0]) {
    holder = memberOf(holder, fault.property);
    [fault] = fault.children;
    path += /^\d+$/.test(fault.property) ? `[${fault.property}]` : `.${fault.property}`;
  }
  if (memberOf(holder, fault.property) === undefined) return `${path} ${REQUIRED}.`;
  const text = Object.values(fault.constraints ?? {})[0] ?? `${fault.property} has an invalid value`;
  return sentenceAbout(path, fault.property, text);
}

/** Describes the fault of a member in a sentence, as {@link faultSentence} does, and in words for people. */
export function faultOf(outermost: ValidationError, given: unknown): FieldFault {
  const { property: field } = outermost;
  const message = faultSentence(outermost, given);
  return { field, message, predicate: predicateOf(outermost, given, message) };
}

function predicateOf(fault: ValidationError, given: unknown, message: string): string | undefined {
  const { property, constraints } = fault;
  if (!constraints) return undefined;
  if (memberOf(given, property) === undefined) return REQUIRED;
  const said = ruleFaultOf(fault);
  if (said) return said.place ? undefined : (said.plainPredicate ?? said.predicate);
  // The words of class-validator's own rules come as a whole.
  return message.startsWith(`${property} `) ? message.slice(property.length + 1, -1) : undefined;
}

function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null
    ? (holder as Record<string, unknown>)[name]
    : undefined;
}

/**
 * Writes a rule's message with the path: it names the member alone, or not at all, and class-validator's own messages end
 * without a full stop.
 */
function sentenceAbout(path: string, name: string, text: string): string {
  const sentence = text.endsWith('.') ? text : `${text}.`;
  if (path === name && sentence.includes(name)) return sentence;
  return sentence.includes(name) ? sentence.replace(name, () => path) : `${path}: ${sentence}`;
}
