import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { PROJECT } from './surroundings';

/** One instruction as the builder reads it. */
export interface Step {
  readonly keyword: string;
  /** `--from=build` is `['from', 'build']`. */
  readonly flags: readonly (readonly [name: string, value: string])[];
  /** What follows the flags, in one piece, lines joined. */
  readonly text: string;
  /** The same as words, or the strings of a JSON array. */
  readonly words: readonly string[];
  /** Whether the arguments are a JSON array. */
  readonly isJson: boolean;
  /** The variables of `ENV` and `LABEL`. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
  /** Line in the file, from 1. */
  readonly line: number;
}

/** A stage: `FROM <base> AS <name>` and what follows it. */
export interface Stage {
  readonly base: string;
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Expanded by the builder in these, and not here. */
const EXPANDED = new Set([
  'FROM',
  'WORKDIR',
  'COPY',
  'USER',
  'VOLUME',
  'EXPOSE',
  'STOPSIGNAL',
  'ENV',
  'LABEL',
]);

/** The Dockerfile holds what its interpreter does not know. */
export class UnknownInstruction extends Error {
  constructor(step: Pick<Step, 'keyword' | 'line'>, what: string) {
    super(`Dockerfile line ${step.line}: ${step.keyword} ${what} is not known here.`);
    this.name = 'UnknownInstruction';
  }
}

/**
 * Reads a Dockerfile into its stages.
 *
 * @throws UnknownInstruction for variables outside of commands, and for anything ahead of the first FROM
 */
export function readDockerfile(text: string): Stage[] {
  const stages: { base: string; name: string; steps: Step[] }[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const step = readStep(instruction);
    if (EXPANDED.has(step.keyword) && step.text.includes('$'))
      throw new UnknownInstruction(step, 'with a variable');
    const [base = '', as = 'AS', name = `${stages.length}`, ...rest] = step.words;
    if (step.keyword !== 'FROM') {
      const stage = stages.at(-1);
      if (!stage) throw new UnknownInstruction(step, 'ahead of FROM');
      stage.steps.push(step);
    } else if (as.toUpperCase() !== 'AS' || rest.length > 0 || step.flags.length > 0) {
      throw new UnknownInstruction(step, step.text);
    } else {
      stages.push({ base, name, steps: [] });
    }
  }
  return stages;
}

/** The environment that the project's image gives to what runs in it. */
export const IMAGE_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  readDockerfile(readFileSync(join(PROJECT, 'Dockerfile'), 'utf8'))
    .at(-1)
    ?.steps.flatMap(({ keyword, pairs }) => (keyword === 'ENV' ? pairs : [])) ?? [],
);

/** The classes of the parser differ in what they offer; a Dockerfile's own words decide which one it is. */
interface AnyInstruction extends Instruction {
  getFlags?(): { getName(): string; getValue(): string | null }[];
  getJSONStrings?(): { getJSONValue(): string }[];
  getProperties?(): { getName(): string; getValue(): string | null }[];
}

function readStep(instruction: AnyInstruction): Step {
  const json = (instruction.getJSONStrings?.() ?? []).map((part) => part.getJSONValue());
  const text = instruction.getArgumentsContent() ?? '';
  return {
    keyword: instruction.getKeyword(),
    flags: (instruction.getFlags?.() ?? []).map((flag) => [flag.getName(), flag.getValue() ?? '']),
    text,
    words: json.length > 0 ? json : instruction.getArguments().map((word) => word.getValue()),
    isJson: json.length > 0,
    pairs: (instruction.getProperties?.() ?? []).map((pair) => [pair.getName(), pair.getValue() ?? '']),
    line: instruction.getRange().start.line + 1,
  };
}
