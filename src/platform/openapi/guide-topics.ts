import { encodeCursor } from '../values/cursor';
import { DEFAULT_POLICY, type RateLimitPolicy } from '../rate-limit/rate-limit-policy';
import type { Section } from './blocks';

/** How lists are read page by page. */
export function paging(listUrl: string): Section {
  const next = `${listUrl}?limit=50&cursor=${encodeCursor(50n, {})}`;
  return {
    id: 'paging',
    title: 'Paging',
    brief: [
      'A list answers one page: a plain JSON array of at most `limit` items, in ascending order of `id`.',
      'While there is more, the `Link` header names the next page with `rel="next"`. Request its target as it is. When there is no such link, you have read the list to its end.',
    ],
    more: [
      { code: `GET ${listUrl}?limit=50\n\nLink: <${next}>; rel="next"` },
      {
        items: [
          'The `cursor` in that target is opaque: do not take it apart and do not make one.',
          'A cursor belongs to the filters it was made with. With other filters it is 400 `invalid_cursor`. `limit` may change from page to page.',
          'On a page reached by a cursor, `rel="first"` leads back to the first page.',
          'What was there when you began is not skipped, and nothing comes twice. A cursor holds even when the item it was made from is gone.',
          'Every page costs the same, however far into the list it is.',
        ],
      },
      '`Link` is read as [RFC 8288](https://www.rfc-editor.org/rfc/rfc8288) says; most HTTP libraries have a parser for it.',
    ],
  };
}

/**
 * How often a client may ask.
 *
 * @param perMinute requests of one API key to all operations without a policy of their own; 0 when there are no limits
 * @param own the policies of single operations, each with the operations it holds for
 * @param hasCommon whether there are operations without a policy of their own
 */
export function rateLimits(
  perMinute: number,
  own: ReadonlyMap<RateLimitPolicy, readonly string[]>,
  hasCommon: boolean,
): Section {
  const common = { name: DEFAULT_POLICY, perMinute };
  const policies: (readonly [RateLimitPolicy, string])[] = [
    ...(hasCommon || own.size === 0
      ? [[common, own.size === 0 ? 'all operations' : 'all others'] as const]
      : []),
    ...[...own].map(([policy, ids]) => [policy, ids.join(', ')] as const),
  ];
  const [example = common] = policies.map(([policy]) => policy);
  return {
    id: 'rate-limits',
    title: 'Rate limits',
    brief: [
      'An API key may make so many requests in a minute; every answer to it says in `RateLimit` how many are left (`r`) and for how many seconds (`t`). ' +
        'One too many is 429 `rate_limited`: wait for the seconds `Retry-After` says.',
    ],
    more:
      perMinute === 0
        ? ['At present the limits are switched off, and these header fields are not sent.']
        : [
            {
              code: `RateLimit-Policy: "${example.name}";q=${example.perMinute};w=60\nRateLimit: "${example.name}";r=${example.perMinute - 1};t=60`,
            },
            {
              items: [
                '`RateLimit-Policy` names the limit, with its quota (`q`) and the length of its window in seconds (`w`). Both fields are as [draft-ietf-httpapi-ratelimit-headers-10](https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10) has them.',
                'The window begins with your first request, and with the first after it has ended.',
                'Every request with your API key counts, also one that is refused. A key and the one it was rotated to have one budget.',
                'Requests with API keys that are not valid are limited for each address. From one that has sent too many, a key that has not been used lately may get 429, too.',
              ],
            },
            {
              head: ['Policy', 'Requests in a minute', 'Operations'],
              rows: policies.map(([policy, operations]) => [
                policy.name,
                String(policy.perMinute),
                operations,
              ]),
            },
          ],
  };
}

/** What a client has to know of 64-bit identifiers. */
export function int64(): Section {
  return {
    id: 'int64',
    title: '64-bit integers',
    brief: [
      'Identifiers are integers of 64 bits, from -9223372036854775808 to 9223372036854775807. The service keeps and answers them exactly.',
      'JavaScript rounds integers above 2^53 (9007199254740992), and so do other languages that read every number as a double. Read them as a 64-bit or big integer.',
    ],
    more: [
      'In JavaScript, `JSON.parse` gives the digits of each number to its reviver, and `JSON.rawJSON` writes them back:',
      {
        code: `const big = (name, value, { source }) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(source) : value;

const answer = JSON.parse(text, big);

const body = JSON.stringify(answer, (name, value) =>
  typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value);`,
      },
      'In a request, `1.0` and `1e2` are integers as JSON Schema has it; `1.5` and `"1"` are not.',
    ],
  };
}

/** How a client repeats a request that got no response. */
export function retries(createUrl: string): Section {
  return {
    id: 'retries',
    title: 'Retries',
    brief: [
      'Send an `Idempotency-Key` of your choice, such as a UUID, when you add something. Repeated with the same key and the same body, the request is answered as it was the first time and nothing is added again.',
    ],
    more: [
      {
        code: `curl -X POST ${createUrl} \\
  -H "Authorization: Bearer $PETSTORE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: 2f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e" \\
  -d @body.json`,
      },
      {
        items: [
          'A repeated answer carries `Idempotency-Replayed: true`.',
          'While the first request is still under way, the answer is 409 `idempotency_in_progress`: repeat it after `Retry-After`.',
          'With another body, to the byte, it is 422 `idempotency_key_reused`.',
          'A key has 1 to 255 visible ASCII characters, bare or in quotes. It is yours alone, also after your API key is rotated, and is kept for 24 hours.',
          'A request that was refused for its form, and one that met a fault of the service, may be repeated under the same key.',
        ],
      },
    ],
  };
}

/** How a resource is changed in part. */
export function partialUpdates(itemUrl: string): Section {
  return {
    id: 'partial-updates',
    title: 'Partial updates',
    brief: [
      'The body of a `PATCH` is a JSON Merge Patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)): a member you leave out stays as it is, one you send is replaced, and `null` removes a member that is optional.',
    ],
    more: [
      {
        code: `curl -X PATCH ${itemUrl} \\
  -H "Authorization: Bearer $PETSTORE_API_KEY" \\
  -H "Content-Type: application/merge-patch+json" \\
  -d '{"<member to change>": "<value>", "<member to remove>": null}'`,
      },
      '`application/json` is taken as well. The answer is the whole resource as it is afterwards, with its `ETag`.',
      "To avoid overwriting another client's change, send the `ETag` of what you have seen as `If-Match`. When the resource has changed since, the answer is 412 `precondition_failed`, and nothing is changed. `DELETE` takes it too.",
    ],
  };
}

/** How a client spares itself a response it already has. */
export function conditionalRequests(listUrl: string): Section {
  return {
    id: 'conditional-requests',
    title: 'Conditional requests',
    brief: [
      'Every 200 carries an `ETag`. Send its value as `If-None-Match`: when nothing has changed, the answer is 304 without a body.',
    ],
    more: [
      {
        code: `curl -i ${listUrl} \\
  -H "Authorization: Bearer $PETSTORE_API_KEY" \\
  -H 'If-None-Match: "<the ETag you have>"'`,
      },
      'The tag is of the whole answer, to the byte ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-13)). ' +
        'Answers are private to a key: `Cache-Control` lets no shared cache keep them.',
    ],
  };
}
