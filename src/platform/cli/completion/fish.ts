import type { CompletedCommand, Following } from './completion-model';

/** Writes a script for fish: a function that finds the command on the line, and the completions after each command. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return `# fish completion for petstore
function __petstore_path
    set -l path
    set -l takes
    for word in (commandline -opc)[2..-1]
        if test -n "$takes"
            set takes
            continue
        end
        switch "$path|$word"
${steps(commands)}
        end
    end
    echo $path
end
complete -c petstore -f
${commands.map((command) => followers(command)).join('\n')}
`;
}

function steps(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ path, commands: children, options }) => [
      ...children.map(
        ({ word }) =>
          `            case ${escaped(`${path}|${word}`)}\n                set path ${escaped(path === '' ? word : `${path} ${word}`)}`,
      ),
      ...options
        .filter(({ value }) => value !== undefined)
        .map(({ word }) => `            case ${escaped(`${path}|${word}`)}\n                set takes 1`),
    ])
    .join('\n');
}

function followers({ path, commands, options, argument }: CompletedCommand): string {
  const at = `complete -c petstore -n ${escaped(`test "$(__petstore_path)" = "${path}"`)}`;
  return [
    ...commands.map(({ word, description }) => `${at} -a ${escaped(word)} -d ${escaped(description)}`),
    ...(argument === 'text' ? [] : [`${at} ${following(argument, '')}`]),
    ...options.map(
      ({ word, description, value }) =>
        `${at} -l ${word.slice(2)} -d ${escaped(description)}${value === undefined ? '' : ` ${following(value, '-r ')}`}`,
    ),
  ].join('\n');
}

function following(value: Following, required: string): string {
  if (value === 'file') return `${required}-F`;
  return value === 'text' ? `${required}-f` : `${required}-f -a ${escaped(value.join(' '))}`;
}

/** Quotes a text as one word of fish, which knows two escapes within quotes. */
function escaped(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
