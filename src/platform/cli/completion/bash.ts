import { type CompletedCommand, type Following, quoted } from './completion-model';

/** Writes a script for bash: a function that contains every command, and its registration. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# bash completion for petstore
_petstore() {
  local current=\${COMP_WORDS[COMP_CWORD]} at= option= word words= files= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then continue; fi
    if [[ -n $option ]]; then option=; continue; fi
    case "$at|$word" in
${steps(commands)}
    esac
  done
  # bash takes --option=value for three words.
  if [[ $current == = ]]; then current=; fi
  case "\${option:-$at}" in
${commands.map((command) => followers(command)).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $files && $current != -* ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -F _petstore petstore
`;
}

/** Writes the step from each word to the next: into a command, or to the value of an option. zsh reads this form as well. */
export function steps(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ path, commands: children, options }) => [
      ...children.map(({ word }) => {
        const next = path === '' ? word : `${path} ${word}`;
        return `      ${quoted(`${path}|${word}`)}) at=${quoted(next)} ;;`;
      }),
      ...options
        .filter(({ value }) => value !== undefined)
        .map(({ word }) => `      ${quoted(`${path}|${word}`)}) option=${quoted(`${path} ${word}`)} ;;`),
    ])
    .join('\n');
}

function followers({ path, commands, options, argument }: CompletedCommand): string {
  const words = [...commands, ...options].map(({ word }) => word);
  return [
    line(path, argument, words),
    ...options.flatMap(({ word, value }) =>
      value === undefined ? [] : [line(`${path} ${word}`, value, [])],
    ),
  ].join('\n');
}

function line(after: string, following: Following, words: readonly string[]): string {
  const choices = typeof following === 'string' ? words : [...following, ...words];
  const files = following === 'file' ? ' files=1' : '';
  return `    ${quoted(after)}) words=${quoted(choices.join(' '))}${files} ;;`;
}
