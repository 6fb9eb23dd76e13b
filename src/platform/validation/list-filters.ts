/** How a parameter narrows a list down by a field. */
export type FilterKind = 'value' | 'values' | 'from' | 'to' | 'before' | 'prefix';

/** What a query parameter narrows a list down by. */
export interface ListFilter {
  /** The parameter: a member of the query. */
  readonly parameter: string;
  /** The field of what is listed. */
  readonly field: string;
  readonly kind: FilterKind;
}

/** What a parameter of a range keeps: one of these. */
export type RangeOptions =
  | {
      /** The field of which it keeps this value and greater ones. */
      readonly from: string;
    }
  | {
      /** The field of which it keeps this value and lesser ones. */
      readonly to: string;
    }
  | {
      /** The field of which it keeps lesser values. */
      readonly before: string;
    };

const FILTERS_METADATA = 'petstore:list-filters';
const ORDERS_METADATA = 'petstore:list-orders';

/** Notes what a query parameter narrows a list down by. */
export function listFilter(kind: FilterKind, field?: string): PropertyDecorator {
  return ({ constructor }, property) => {
    const parameter = property as string;
    const filters = [...listFilters(constructor), { parameter, field: field ?? parameter, kind }];
    Reflect.defineMetadata(FILTERS_METADATA, filters, constructor);
  };
}

/** Notes by which fields a query parameter sorts a list. */
export function listOrders(fields: readonly string[]): PropertyDecorator {
  return ({ constructor }, property) =>
    Reflect.defineMetadata(ORDERS_METADATA, { parameter: property as string, fields }, constructor);
}

/** What the parameters of a query narrow a list down by, in the order they are declared. */
export function listFilters(query: Function): readonly ListFilter[] {
  return (Reflect.getMetadata(FILTERS_METADATA, query) as ListFilter[] | undefined) ?? [];
}

/** The parameter of a query that sorts its list, and the fields it sorts by; undefined when there is none. */
export function listOrder(
  query: Function,
): { readonly parameter: string; readonly fields: readonly string[] } | undefined {
  return Reflect.getMetadata(ORDERS_METADATA, query) as ReturnType<typeof listOrder>;
}

/** The filter of the options of a range. */
export function rangeFilter(options: RangeOptions): PropertyDecorator {
  if ('from' in options) return listFilter('from', options.from);
  return 'to' in options ? listFilter('to', options.to) : listFilter('before', options.before);
}
