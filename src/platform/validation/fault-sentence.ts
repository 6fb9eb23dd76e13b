import type { ValidationError } from 'class-validator';

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
  if (memberOf(holder, fault.property) === undefined) return `${path} is required.`;
  const text = Object.values(fault.constraints ?? {})[0] ?? `${fault.property} has an invalid value`;
  return sentenceAbout(path, fault.property, text);
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
