import { join } from 'node:path';
import { Eta } from 'eta';
import type { OperationState, OperationStates } from '../deprecation/operation-states';
import { deprecationNotice } from '../deprecation/deprecations';
import type { Operation } from '../http/operations/operation';
import { BASE_PATH, openapiPath, pathUnderBase } from '../values/operation-path';
import type { ServiceAddress } from '../values/service-address';
import { declaredPolicies } from '../rate-limit/declared-policies';
import { DEFAULT_POLICY, type RateLimitPolicy } from '../rate-limit/rate-limit-policy';
import { encodeCursor } from '../values/cursor';
import { CLIENT_PACKAGE } from './client-packages';
import { errorCatalogue } from './documented-errors';
import { markdownList, markdownTable } from '../html/markdown';

/** Anchor of the section about the licence. */
export const LICENCE_ANCHOR = 'licence';

/** Anchor of the first section, which the page of Swagger UI shows as well. */
export const QUICK_START_ANCHOR = 'quick-start';

/** One topic of the guide, in Markdown. */
export interface GuideSection {
  /** Anchor on the guide's page: the name of its file. */
  readonly id: string;
  readonly title: string;
  /** Text that every reader needs; also in the introduction of the document. */
  readonly brief: string;
  /** Text that only the guide's page has. */
  readonly more: string;
}

/** Facts that the guide is rendered from. */
export interface GuideFacts {
  readonly operations: readonly Operation[];
  /** Root of the addresses in the examples. */
  readonly root: string;
  /** Addresses of the pages that the guide links to. */
  readonly address: ServiceAddress;
  readonly states: OperationStates;
  /** Value of the setting RATE_LIMIT_PER_MINUTE. */
  readonly requestsPerMinute: number;
}

/** Values that the texts include, as `it`. */
interface Includes {
  readonly baseUrl: string;
  readonly clientPackage: string;
  readonly docs: string;
  readonly listId: string | undefined;
  readonly listUrl: string;
  readonly cursor: string;
  /** True if a list can be read in another order than that of `id`. */
  readonly isSorted: boolean;
  readonly createUrl: string | undefined;
  readonly itemUrl: string | undefined;
  readonly scopes: string;
  readonly limits: (RateLimitPolicy & { readonly policies: string }) | undefined;
  readonly deprecations: string;
  readonly deprecated: readonly object[];
  readonly errors: string;
}

const MORE = '<!-- more -->';
const TITLE = /^# (.*)\n/;

/** Escapes nothing and keeps all line ends: the texts are Markdown, and so are the values they include. */
const texts = new Eta({
  views: join(__dirname, 'guide'),
  defaultExtension: '.md',
  autoEscape: false,
  autoTrim: false,
  cache: true,
});

/** Renders the guide, in the order in which it is read: the files of the folder `guide`, with facts from declarations. */
export function guideSections(facts: GuideFacts): GuideSection[] {
  const includes = includesOf(facts);
  return [
    QUICK_START_ANCHOR,
    'authentication',
    'clients',
    'paging',
    'int64',
    'conditional-requests',
    ...(includes.createUrl ? ['retries'] : []),
    ...(includes.itemUrl ? ['partial-updates'] : []),
    'rate-limits',
    'limits',
    'deprecations',
    'errors',
    'versioning',
    LICENCE_ANCHOR,
  ].map((id) => section(id, includes));
}

function section(id: string, includes: Includes): GuideSection {
  const text = texts.render(id, includes).replaceAll(/\n{3,}/g, '\n\n');
  const [brief = '', more = ''] = text.replace(TITLE, '').split(MORE);
  return { id, title: TITLE.exec(text)?.[1] ?? id, brief: brief.trim(), more: more.trim() };
}

function includesOf({ operations, root, address, states, requestsPerMinute }: GuideFacts): Includes {
  const baseUrl = root + BASE_PATH;
  const documented = operations.filter(({ response }) => response);
  const list = documented.find(({ response }) => response?.kind === 'page');
  const retriable = documented.find(({ isIdempotent }) => isIdempotent);
  const update = documented.find(({ method }) => method === 'PATCH');
  const deprecated = documented.filter(({ deprecation }) => deprecation);
  return {
    baseUrl,
    clientPackage: `${root}/docs/${CLIENT_PACKAGE}`,
    docs: address.docs,
    listId: list?.id,
    listUrl: `${baseUrl}${list ? pathUnderBase(list) : ''}`,
    cursor: encodeCursor(50n, {}),
    isSorted: documented.some(({ queryNames }) => queryNames?.has('sort')),
    createUrl: retriable && `${baseUrl}${pathUnderBase(retriable)}`,
    itemUrl: update && `${baseUrl}${pathUnderBase(update).replace(/:\w+/, '1')}`,
    scopes: scopeTable(documented),
    limits: requestsPerMinute === 0 ? undefined : limitsOf(documented, requestsPerMinute),
    deprecations: deprecationList(deprecated, address),
    deprecated: deprecated.map((operation) => ({
      id: operation.id,
      request: requestLine(operation),
      notice: deprecationNotice(operation),
      ...stateOf(states.get(operation.id)),
    })),
    errors: markdownTable(
      ['Status', 'Code', 'Meaning'],
      errorCatalogue(operations).map(({ status, code, message }) => [String(status), `\`${code}\``, message]),
    ),
  };
}

/** Names an operation for people: its method and its path under the base address. */
function requestLine(operation: Operation): string {
  return `${operation.method} ${openapiPath(pathUnderBase(operation))}`;
}

function scopeTable(operations: readonly Operation[]): string {
  return markdownTable(
    ['Operation', 'Request', 'Scope'],
    operations
      .filter(({ isPublic }) => !isPublic)
      .map((operation) => [
        `\`${operation.id}\``,
        `\`${requestLine(operation)}\``,
        operation.scopes.map((scope) => `\`${scope}\``).join(' '),
      ]),
  );
}

/** Returns the first policy, which the example shows, and a table of all policies. */
function limitsOf(operations: readonly Operation[], perMinute: number): Includes['limits'] {
  const idsOf = ({ name }: RateLimitPolicy) =>
    operations.filter(({ rateLimit }) => rateLimit?.name === name).map(({ id }) => `\`${id}\``);
  const own = declaredPolicies(operations);
  const hasCommon = operations.some(({ isPublic, rateLimit }) => !isPublic && !rateLimit);
  const common = { name: DEFAULT_POLICY, perMinute };
  const policies: (readonly [RateLimitPolicy, string])[] = [
    ...(hasCommon || own.length === 0
      ? [[common, own.length === 0 ? 'all operations' : 'all others'] as const]
      : []),
    ...own.map((policy) => [policy, idsOf(policy).join(', ')] as const),
  ];
  const [[example] = [common]] = policies;
  return {
    ...example,
    policies: markdownTable(
      ['Policy', 'Requests in a minute', 'Operations'],
      policies.map(([policy, ids]) => [policy.name, String(policy.perMinute), ids]),
    ),
  };
}

function deprecationList(operations: readonly Operation[], address: ServiceAddress): string {
  if (operations.length === 0) return 'No operation is deprecated.';
  return markdownList(
    operations.map(
      (operation) => `[${operation.id}](${address.guide(operation.id)}): ${deprecationNotice(operation)}`,
    ),
  );
}

function stateOf(state: OperationState = { state: 'active' }): { state: string; windows?: string } {
  if (state.state !== 'brownout') return { state: state.state };
  const windows = state.windows.map(({ from, to }) => `${instant(from)} to ${instant(to)}`);
  return { state: state.state, windows: markdownList(windows) };
}

function instant(date: Date): string {
  return `${date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`;
}
