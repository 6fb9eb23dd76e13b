import type { Deprecation } from './deprecated-operation.decorator';
import type { OperationStates } from './operation-states';
import { OperationBrownoutError, OperationRemovedError } from '../errors/http-errors';
import type { ServiceAddress } from '../values/service-address';

/** The part of an operation that matters here. */
export interface MayBeDeprecated {
  readonly id: string;
  readonly deprecation: Deprecation | undefined;
}

/** The operations of one path. */
interface Route {
  readonly endpoints: ReadonlyMap<string, { readonly operation: MayBeDeprecated }>;
}

/** The header fields that announce the end of an operation: RFC 9745, RFC 8594 and RFC 8288. */
export type DeprecationHeaders = Readonly<Record<'Deprecation' | 'Sunset' | 'Link', string>>;

/** Announces deprecated operations on every response of their path, and ends them when the configuration says so. */
export class Deprecations {
  private readonly headers = new Map<Route, DeprecationHeaders | undefined>();

  constructor(
    private readonly states: OperationStates,
    private readonly address: ServiceAddress,
  ) {}

  /** Returns the fields of every response of a path; undefined if none of its operations is deprecated. */
  announcementOf(route: Route): DeprecationHeaders | undefined {
    if (!this.headers.has(route)) this.headers.set(route, this.headersOf(route));
    return this.headers.get(route);
  }

  /**
   * Refuses an operation that the configuration has switched off.
   *
   * @throws OperationRemovedError or OperationBrownoutError, with Retry-After at the end of the window
   */
  assertServed(operation: MayBeDeprecated, now: Date): void {
    const state = this.states.get(operation.id);
    if (!operation.deprecation || !state || state.state === 'active') return;
    if (state.state === 'removed') throw new OperationRemovedError();
    const window = state.windows.find(({ from, to }) => from <= now && now < to);
    if (!window) return;
    const seconds = Math.ceil((window.to.getTime() - now.getTime()) / 1000);
    throw new OperationBrownoutError({ headers: { 'Retry-After': String(seconds) } });
  }

  private headersOf(route: Route): DeprecationHeaders | undefined {
    const endpoint = [...route.endpoints.values()].find(({ operation }) => operation.deprecation);
    return endpoint && deprecationHeaders(endpoint.operation, this.address);
  }
}

/** Returns the fields that announce the end of an operation; undefined if it is not deprecated. */
export function deprecationHeaders(
  operation: MayBeDeprecated,
  address: ServiceAddress,
): DeprecationHeaders | undefined {
  if (!operation.deprecation) return undefined;
  const { since, sunset, successor } = operation.deprecation;
  const page = address.guide(operation.id);
  return {
    Deprecation: `@${since.getTime() / 1000}`,
    Sunset: sunset.toUTCString(),
    Link: [
      `<${page}>; rel="deprecation"; type="text/html"`,
      `<${page}>; rel="sunset"; type="text/html"`,
      `<${address.base}${successor}>; rel="successor-version"`,
    ].join(', '),
  };
}

/** Describes the end of a deprecated operation in plain sentences; returns an empty text for any other. */
export function deprecationNotice({ deprecation }: MayBeDeprecated): string {
  if (!deprecation) return '';
  const { since, sunset, successor, replacement = `\`GET ${successor}\`` } = deprecation;
  return `Deprecated since ${longDate(since)}. It is to be removed on ${longDate(sunset)}. Use ${replacement} instead.`;
}

function longDate(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}
