import type { Cli } from '../platform/cli/cli';
import type { KeyView } from './dto/key-view';

/** Shows a key that was just made: the key itself, the name to use from now on, and its end. */
export function showIssued(
  cli: Cli,
  issued: KeyView & { readonly key: string },
  json: true | undefined,
): void {
  if (json) return cli.output.json(issued);
  const { key, id, expiresAt } = issued;
  const rows = [
    ['key', key],
    ['id', id],
    ['expires', expiresAt ?? 'never'],
  ];
  cli.output.table({ header: ['FIELD', 'VALUE'], rows });
}

/** Prints a key, as JSON or with one field on each line. */
export function showOne(cli: Cli, view: KeyView, json: true | undefined): void {
  if (json) return cli.output.json(view);
  cli.output.table({
    header: ['FIELD', 'VALUE'],
    rows: Object.entries(view).map(
      ([member, value]: [string, string | number | readonly string[] | null]) => [member, textOf(value)],
    ),
  });
}

function textOf(value: string | number | readonly string[] | null): string {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? '-' : text;
}
