import { steps } from './bash';
import { type CompletedCommand, type CompletedWord, type Following, quoted } from './completion-model';

/** Writes a script for zsh; it can be sourced, or stand as `_petstore` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef petstore
# zsh completion for petstore
_petstore() {
  local current=\${words[CURRENT]} at= option= word i files=
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $option ]]; then option=; continue; fi
    case "$at|$word" in
${steps(commands)}
    esac
  done
  if [[ -z $option && $current == --*=* ]]; then
    option="$at \${current%%=*}"
    compset -P '*='
  fi
  case "\${option:-$at}" in
${commands.map((command) => followers(command)).join('\n')}
  esac
  (( \${#items} )) && _describe petstore items
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`;
}

function followers({ path, commands, options, argument }: CompletedCommand): string {
  return [
    line(path, argument, [...commands, ...options]),
    ...options.flatMap(({ word, value }) =>
      value === undefined ? [] : [line(`${path} ${word}`, value, [])],
    ),
  ].join('\n');
}

function line(after: string, following: Following, words: readonly CompletedWord[]): string {
  const choices = typeof following === 'string' ? [] : following.map((word) => ({ word, description: '' }));
  const items = [...choices, ...words].map(({ word, description }) =>
    quoted(`${word.replaceAll(':', '\\:')}${description === '' ? '' : `:${description}`}`),
  );
  return `    ${quoted(after)}) items=(${items.join(' ')})${following === 'file' ? ' files=1' : ''} ;;`;
}
