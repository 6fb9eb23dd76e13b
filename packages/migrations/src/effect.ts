/** The database engines of the service. */
export type Engine = 'sqlite' | 'postgres';

/** Effect of a statement. Tables are those that were there before the migration. */
export type Effect = TableEffect | StatementEffect;

/** Effect on a table. */
export type TableEffect = { readonly table: string } & (
  | { readonly kind: 'table-dropped' | 'table-emptied' | 'table-rewritten' | 'row-security-changed' }
  | { readonly kind: 'table-renamed'; readonly to: string }
  /** LOCK TABLE. */
  | { readonly kind: 'table-locked' }
  | {
      readonly kind: 'column-added';
      readonly column: string;
      /** True if a row that is inserted without the column is refused. */
      readonly isRequired: boolean;
      /** True if each row has another value, so that all of them are written anew. */
      readonly rewrites: boolean;
    }
  | { readonly kind: 'column-dropped' | 'column-required' | 'default-dropped'; readonly column: string }
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
  /** `isWaitedFor`: true if requests wait meanwhile, for a lock of the migration. */
  | { readonly kind: 'constraint-validated'; readonly name: string; readonly isWaitedFor: boolean }
  | {
      readonly kind: 'index-built';
      readonly name: string;
      /** The statement that makes it. */
      readonly definition: string;
      /** True if the migration leaves alone an index that was made before. */
      readonly isOptional: boolean;
      readonly isConcurrent: boolean;
    }
  | {
      readonly kind: 'index-dropped' | 'constraint-dropped';
      readonly name: string;
      readonly isUnique: boolean;
    }
  /** `isBeforeRows`: true if it runs before each row, and so can change or refuse the row. */
  | { readonly kind: 'trigger-added'; readonly name: string; readonly isBeforeRows: boolean }
  | { readonly kind: 'rule-added'; readonly name: string }
  | { readonly kind: 'label-renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'rows-changed'; readonly verb: string }
  /** Rows are read by a function or a block, which goes on as it finds them. */
  | { readonly kind: 'rows-read-within' }
);

/** Effect of a statement that is about no table. */
export type StatementEffect =
  | { readonly kind: 'schema-dropped' | 'slept' | 'transaction-ended' }
  | { readonly kind: 'failed'; readonly reason: string };

/** The letters by which PostgreSQL names its kinds of constraints. */
export type ConstraintType = 'c' | 'f' | 'p' | 'u' | 'x' | 'n';
