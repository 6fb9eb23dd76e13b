/** Comparison of a field with the value of a filter. */
export type FilterOperator = 'is' | 'in' | 'from' | 'to' | 'before' | 'prefix' | 'contains';

/** Filter of a list. */
export interface Filter {
  /** Name of its parameter in an address. */
  readonly name: string;
  /** Field of the listed items. */
  readonly field: string;
  /** `is` unless set. */
  readonly operator?: FilterOperator;
}

/** Field that a range parameter bounds: one of these. */
export type RangeOptions =
  | {
      /** Field of which the parameter keeps this value and greater ones. */
      readonly from: string;
    }
  | {
      /** Field of which the parameter keeps this value and lesser ones. */
      readonly to: string;
    }
  | {
      /** Field of which the parameter keeps lesser values. */
      readonly before: string;
    };

const FILTERS_METADATA = 'petstore:list-filters';
const ORDERS_METADATA = 'petstore:list-orders';
const READ_METADATA = 'petstore:list-read';

/** Declares the filter of a query parameter. */
export function listFilter(operator: FilterOperator, field?: string): PropertyDecorator {
  return ({ constructor }, property) => {
    const name = property as string;
    const filters = [...listFilters(constructor), { name, field: field ?? name, operator }];
    Reflect.defineMetadata(FILTERS_METADATA, filters, constructor);
  };
}

/** Declares the fields by which a query parameter sorts a list. */
export function listOrders(fields: readonly string[]): PropertyDecorator {
  return ({ constructor }, property) =>
    Reflect.defineMetadata(ORDERS_METADATA, { parameter: property as string, fields }, constructor);
}

/** Returns the filters of a query's parameters, in the order of their declaration. */
export function listFilters(query: Function): readonly Filter[] {
  return (Reflect.getMetadata(FILTERS_METADATA, query) as Filter[] | undefined) ?? [];
}

/** Returns the parameter of a query that sorts its list, with the fields it sorts by; undefined without one. */
export function listOrder(
  query: Function,
): { readonly parameter: string; readonly fields: readonly string[] } | undefined {
  return Reflect.getMetadata(ORDERS_METADATA, query) as ReturnType<typeof listOrder>;
}

/** Returns the parameters of a query that declare more than values to filter by, which a service may as well read by itself. */
export function readingParameters(query: Function): string[] {
  const filters = listFilters(query).filter(({ operator }) => operator !== 'is');
  const order = listOrder(query);
  return [...filters.map(({ name }) => name), ...(order ? [order.parameter] : [])];
}

/** Notes that a repository reads what the parameters of a query declare. */
export function noteRead(query: Function): void {
  Reflect.defineMetadata(READ_METADATA, true, query);
}

/** True if a repository reads what the parameters of a query declare. */
export function isRead(query: Function): boolean {
  return Reflect.hasOwnMetadata(READ_METADATA, query);
}

/** Declares the filter for the options of a range. */
export function rangeFilter(options: RangeOptions): PropertyDecorator {
  if ('from' in options) return listFilter('from', options.from);
  return 'to' in options ? listFilter('to', options.to) : listFilter('before', options.before);
}
