import type { AdminRecords } from '../../../platform/features/admin-records';
import { inWords } from '../../records/record-fields';

type Named = Pick<AdminRecords, 'name'>;

/** The page that lists records of a kind. */
export function listPath({ name }: Named): string {
  return `/admin/records/${name}`;
}

/** The page with the saved views of lists of a kind. */
export function viewsPath(kind: Named): string {
  return `${listPath(kind)}/views`;
}

/** The page that adds the rows of a file. */
export function importPath(kind: Named): string {
  return `${listPath(kind)}/import`;
}

/** The page of one record. */
export function recordPath(kind: Named, id: bigint): string {
  return `${listPath(kind)}/${id}`;
}

/** Where an action of a module is confirmed, with the records that are chosen in the query. */
export function actionPath(kind: Named, name: string): string {
  return `${listPath(kind)}/actions/${name}`;
}

/** Where a change of records of a kind is undone. */
export function undoPath(kind: Named, change: bigint): string {
  return `${listPath(kind)}/changes/${change}/undo`;
}

/** What records of a kind are called in a sentence: `order items`. */
export function manyOf({ name }: Named): string {
  return name.replaceAll('-', ' ');
}

/** What records of a kind are called at the beginning of a line: `Order items`. */
export function titleOf(kind: Named): string {
  return inWords(manyOf(kind));
}
