/** Effect of a statement on a table that was there before the migrations. */
export type Effect = { readonly table: string } & (
  | {
      readonly kind:
        'table-dropped' | 'table-emptied' | 'table-rewritten' | 'table-referenced' | 'table-altered';
    }
  | { readonly kind: 'table-renamed'; readonly to: string }
  | { readonly kind: 'table-locked'; readonly lock: string }
  | {
      readonly kind: 'column-added';
      readonly column: string;
      /** True if a row that is inserted without the column is refused. */
      readonly isRequired: boolean;
      /** True if each row has another value, so that all of them are written anew. */
      readonly rewrites: boolean;
    }
  | { readonly kind: 'column-dropped' | 'column-required' | 'default-dropped'; readonly column: string }
  | { readonly kind: 'default-changed'; readonly column: string }
  /** NOT NULL that a valid CHECK or constraint proves, so that no row is read. */
  | { readonly kind: 'column-proven'; readonly column: string }
  | { readonly kind: 'column-renamed'; readonly column: string; readonly to: string }
  | {
      readonly kind: 'type-changed';
      readonly column: string;
      readonly from: string;
      readonly to: string;
      readonly rewrites: boolean;
    }
  | {
      readonly kind: 'constraint-added';
      readonly name: string;
      readonly type: ConstraintType;
      /** True if every row is checked now, or an index is built for it. */
      readonly readsRows: boolean;
    }
  | { readonly kind: 'constraint-validated'; readonly name: string }
  | {
      readonly kind: 'index-built';
      readonly name: string;
      /** The statement that makes it. */
      readonly definition: string;
      /** True if the migration leaves alone an index that was made by hand before. */
      readonly isOptional: boolean;
    }
  | {
      readonly kind: 'index-dropped' | 'constraint-dropped';
      readonly name: string;
      readonly isUnique: boolean;
    }
  | { readonly kind: 'trigger-added' | 'trigger-dropped'; readonly name: string }
  | { readonly kind: 'label-renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'rows-added' | 'rows-changed'; readonly verb: string }
);

/** The letters by which PostgreSQL names its kinds of constraints. */
export type ConstraintType = 'c' | 'f' | 'p' | 'u' | 'x' | 'n';
