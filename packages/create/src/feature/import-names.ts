/** The keys whose value is true, in their order. */
export function chosen(names: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(names).filter((name) => names[name]);
}

/** Names of an import as its line has them: each once, in the order of the alphabet, a type with `type` before it. */
export function importNames(names: Iterable<string>): string {
  const plain = (name: string) => name.replace(/^type /, '');
  return [...new Set(names)].sort((a, b) => plain(a).localeCompare(plain(b), 'en')).join(', ');
}
