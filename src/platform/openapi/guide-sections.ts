import type { OperationState, OperationStates } from '../deprecation/operation-states';
import { errorCatalogue } from '../errors/app-error';
import { deprecationAddress, deprecationNotice } from '../deprecation/deprecations';
import type { Operation } from '../http/operations/operation';
import { openapiPath, pathUnderBase } from '../values/operation-path';
import { declaredPolicies } from '../rate-limit/declared-policies';
import type { RateLimitPolicy } from '../rate-limit/rate-limit-policy';
import type { Block, Section } from './blocks';
import { conditionalRequests, int64, paging, partialUpdates, rateLimits, retries } from './guide-topics';

/** Anchor of the section about the licence. */
export const LICENCE_ANCHOR = 'licence';

/** What the guide is made from. */
export interface GuideFacts {
  readonly operations: readonly Operation[];
  /** Base address in the examples, ending in the version segment. */
  readonly baseUrl: string;
  readonly states: OperationStates;
  /** As the setting RATE_LIMIT_PER_MINUTE. */
  readonly requestsPerMinute: number;
}

/** The guide, in the order it is read. Everything a declaration says is taken from there. */
export function guideSections(facts: GuideFacts): Section[] {
  const documented = facts.operations.filter(({ response }) => response);
  const list = documented.find(({ response }) => response?.kind === 'page');
  const listUrl = `${facts.baseUrl}${list ? pathUnderBase(list) : ''}`;
  const retriable = documented.find(({ isIdempotent }) => isIdempotent);
  const update = documented.find(({ method }) => method === 'PATCH');
  return [
    authentication(documented, listUrl),
    paging(listUrl),
    int64(),
    conditionalRequests(listUrl),
    ...(retriable ? [retries(`${facts.baseUrl}${pathUnderBase(retriable)}`)] : []),
    ...(update ? [partialUpdates(`${facts.baseUrl}${pathUnderBase(update).replace(/:\w+/, '1')}`)] : []),
    rateLimits(
      facts.requestsPerMinute,
      ownPolicies(documented),
      documented.some(({ isPublic, rateLimit }) => !isPublic && !rateLimit),
    ),
    deprecations(documented, facts.states),
    errors(),
    licence(),
  ];
}

function ownPolicies(operations: readonly Operation[]): Map<RateLimitPolicy, string[]> {
  const ids = ({ name }: RateLimitPolicy) =>
    operations.filter(({ rateLimit }) => rateLimit?.name === name).map(({ id }) => `\`${id}\``);
  return new Map(declaredPolicies(operations).map((policy) => [policy, ids(policy)]));
}

/** An operation as people name it: its method and its path under the base address. */
function requestLine(operation: Operation): string {
  return `${operation.method} ${openapiPath(pathUnderBase(operation))}`;
}

function authentication(operations: readonly Operation[], listUrl: string): Section {
  const closed = operations.filter(({ isPublic }) => !isPublic);
  return {
    id: 'authentication',
    title: 'Authentication',
    brief: [
      'Every operation needs an API key. Send it as the bearer token: `Authorization: Bearer <API key>`.',
      'Without a key the answer is 401 `unauthorized`, with one that is not valid 401 `invalid_api_key`.',
    ],
    more: [
      { code: `curl ${listUrl} -H "Authorization: Bearer $PETSTORE_API_KEY"` },
      'The operator of the service makes keys. A key is shown once, has scopes, and may expire or be revoked. ' +
        'An operation outside its scopes answers 403 `insufficient_scope`; `WWW-Authenticate` names the scopes it needs.',
      {
        head: ['Operation', 'Request', 'Scope'],
        rows: closed.map((operation) => [
          `\`${operation.id}\``,
          `\`${requestLine(operation)}\``,
          operation.scopes.map((scope) => `\`${scope}\``).join(' '),
        ]),
      },
    ],
  };
}

function errors(): Section {
  return {
    id: 'errors',
    title: 'Errors',
    brief: [
      'Every answer outside 2xx and 3xx is JSON with exactly the members `code`, `message` and `status`. ' +
        '`status` repeats the HTTP status.',
      'Decide by `code`: its values are stable. `message` is one sentence for people and names the parameter or member at fault; its wording may change.',
      'New codes may be added. Treat one you do not know by its status.',
      {
        foldedAs: 'All codes',
        head: ['Status', 'Code', 'Meaning'],
        rows: errorCatalogue().map(({ status, code, message }) => [String(status), `\`${code}\``, message]),
      },
    ],
    more: [
      'Every answer carries `X-Request-Id`. Give it when you report a fault: it is in the log of the service. ' +
        'Send one of your own, up to 128 letters, digits, dots, hyphens and underscores, and it is used instead.',
    ],
  };
}

function deprecations(operations: readonly Operation[], states: OperationStates): Section {
  const deprecated = operations.filter(({ deprecation }) => deprecation);
  return {
    id: 'deprecations',
    title: 'Deprecated operations',
    brief:
      deprecated.length === 0
        ? ['No operation is deprecated.']
        : [
            {
              items: deprecated.map(
                (operation) =>
                  `[${operation.id}](${deprecationAddress(operation)}): ${deprecationNotice(operation)}`,
              ),
            },
          ],
    more: [
      'Every answer on the path of a deprecated operation announces its end in header fields: `Deprecation` says since when ([RFC 9745](https://www.rfc-editor.org/rfc/rfc9745)), ' +
        '`Sunset` when it goes away ([RFC 8594](https://www.rfc-editor.org/rfc/rfc8594)), and `Link` leads to this page and to the successor.',
      'Before its end an operation may be switched off in announced windows. It then answers 410 `operation_brownout`, and `Retry-After` says until when. ' +
        'After its end it answers 410 `operation_removed`.',
      ...deprecated.flatMap((operation) => [
        { heading: `\`${operation.id}\``, id: operation.id },
        `\`${requestLine(operation)}\`. ${deprecationNotice(operation)}`,
        ...stateOf(states.get(operation.id)),
      ]),
    ],
  };
}

function licence(): Section {
  return {
    id: LICENCE_ANCHOR,
    title: 'Licence',
    brief: [],
    more: [
      'No licence to the software of this service is granted to the public. Ask the operator of the service.',
    ],
  };
}

function stateOf(state: OperationState = { state: 'active' }): Block[] {
  if (state.state === 'removed') return ['It has been removed.'];
  if (state.state === 'active') return ['At present it is served.'];
  return [
    'At present it is served, except in these windows:',
    { items: state.windows.map(({ from, to }) => `${instant(from)} to ${instant(to)}`) },
  ];
}

function instant(date: Date): string {
  return `${date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`;
}
