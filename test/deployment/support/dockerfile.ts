import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';

/** This project. */
export const PROJECT = join(__dirname, '..', '..', '..');

/** The classes of the parser differ in what they offer; a Dockerfile's own words decide which one it is. */
interface AnyInstruction extends Instruction {
  getFlags?(): { getName(): string; getValue(): string | null }[];
  getJSONStrings?(): { getJSONValue(): string }[];
  getProperties?(): { getName(): string; getValue(): string | null }[];
}

/** The Dockerfile of the project. */
export const DOCKERFILE = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8');

const instructions = DockerfileParser.parse(DOCKERFILE).getInstructions() as AnyInstruction[];

/** Returns the words of each instruction with a keyword, those of a JSON array without quotes. */
export function wordsOf(keyword: string): string[][] {
  return named(instructions, keyword).map((one) => {
    const strings = one.getJSONStrings?.() ?? [];
    return strings.length > 0
      ? strings.map((part) => part.getJSONValue())
      : one.getArguments().map((word) => word.getValue());
  });
}

/** Returns what is copied from the project: the last word of a COPY is where it goes. */
export function copiedFromProject(): string[] {
  return named(instructions, 'COPY')
    .filter((copy) => !copy.getFlags?.().some((flag) => flag.getName() === 'from'))
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((word) => word.getValue());
}

/** The environment that the image gives to what runs in it. */
export const IMAGE_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  named(instructions.slice(instructions.findLastIndex((one) => one.getKeyword() === 'FROM')), 'ENV')
    .flatMap((one) => one.getProperties?.() ?? [])
    .map((pair) => [pair.getName(), pair.getValue() ?? '']),
);

function named(all: readonly AnyInstruction[], keyword: string): AnyInstruction[] {
  return all.filter((one) => one.getKeyword() === keyword);
}
