import type { AdminRecords } from '../../../platform/features/admin-records';

type Named = Pick<AdminRecords, 'name'>;

/** The page that lists records of a type. */
export function listPath({ name }: Named): string {
  return `/admin/records/${name}`;
}

/** The page with the saved views of lists of a record type. */
export function viewsPath(kind: Named): string {
  return `${listPath(kind)}/views`;
}

/** The page that imports the rows of a file. */
export function importPath(kind: Named): string {
  return `${listPath(kind)}/import`;
}

/** The address that finds records while a person types. */
export function optionsPath(kind: Named): string {
  return `${listPath(kind)}/options`;
}

/** The page of one record. */
export function recordPath(kind: Named, id: bigint): string {
  return `${listPath(kind)}/${id}`;
}

/** The page that asks to confirm an action of a module; its query names the chosen records. */
export function actionPath(kind: Named, name: string): string {
  return `${listPath(kind)}/actions/${name}`;
}

/** The address of the file with the refused rows of an import. */
export function importRefusalsPath(kind: Named, run: bigint): string {
  return `${listPath(kind)}/imports/${run}/refused`;
}

/** The address that undoes an import. */
export function importUndoPath(kind: Named, run: bigint): string {
  return `${listPath(kind)}/imports/${run}/undo`;
}

/** The address that undoes a change of records of a type. */
export function undoPath(kind: Named, change: bigint): string {
  return `${listPath(kind)}/changes/${change}/undo`;
}
