import type { Type } from '@nestjs/common';
import { validate } from 'class-validator';
import { faultSentence } from '../validation/fault-sentence';
import { instanceWith, writeData } from '../values/stored-data';

/** Most characters of the arguments of a run, and of its cursor. */
const MAX_LENGTH = 65_536;

/** Makes the arguments of a job from their members. @throws Error naming the member that breaks a rule of the class */
export async function jobArguments<Args extends object>(type: Type<Args>, members: object): Promise<Args> {
  const args = instanceWith(type, members);
  const [fault] = await validate(args, { stopAtFirstError: true, forbidUnknownValues: false });
  if (fault)
    throw new Error(`${type.name} cannot be the arguments of a job: ${faultSentence(fault, members)}`);
  return args;
}

/** Writes arguments or a cursor. @throws Error if they are too long */
export function writeBounded(what: string, data: unknown): string {
  const text = writeData(data);
  if (text.length <= MAX_LENGTH) return text;
  throw new Error(
    `${what} would take ${text.length} characters, and may take ${MAX_LENGTH}: store the data in a table, and pass their key.`,
  );
}
