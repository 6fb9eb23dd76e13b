import { baseOf } from './docs-samples.js';

/** So many scopes are asked about; more requests would take too much of what the key may send in a minute. */
const MOST_PROBES = 20;

/** Statuses of responses that are decided after the scopes: a key that gets one has them. */
const AFTER_SCOPES = new Set([200, 201, 202, 204, 304, 404, 406, 409, 412, 413, 415, 422]);

/** Meanings of responses that say nothing about scopes. */
const TROUBLES = {
  401: 'The service does not accept it: expect 401 everywhere.',
  429: 'It has sent too many requests: expect 429 for the rest of this minute.',
  503: 'The service is not ready: expect 503 for now.',
};

/** See `docs-kept-key.js`. */
const KEPT = 'This tab keeps the key until you log out or close it.';

const UNREACHABLE = 'The service cannot be reached.';

/** Says beside "Authorize" whose key it is and what it may call, and marks the operations that it may not. */
export function keyPanel({ React, specSelectors, authSelectors, oas3Selectors }) {
  const element = React.createElement;
  const listeners = new Set();
  let found = {
    token: '',
    scopes: new Map(),
    verdicts: new Map(),
    trouble: '',
    quota: '',
  };

  const tell = (news) => {
    found = { ...found, ...news };
    for (const listener of listeners) listener({});
  };

  /** Renders again when more is known. */
  function useFound() {
    const [, render] = React.useState({});
    React.useEffect(() => {
      listeners.add(render);
      return () => listeners.delete(render);
    }, []);
    return found;
  }

  /** Asks once for each set of scopes, by requests that change nothing. */
  async function examine(token) {
    tell({ token, verdicts: new Map(), trouble: '', quota: '' });
    if (!token) return;
    const twin = await twinOf(specSelectors);
    tell({ scopes: scopesOf(twin) });
    for (const one of probesOf(twin)) {
      const request = requestOf(one, token, { specSelectors, oas3Selectors });
      const response = takeAsked(request) ?? (await fetch(request));
      // Another key may have been entered meanwhile.
      if (found.token !== token) return;
      note(one.scopes, response.status);
      tell({ quota: quotaOf(response.headers) });
      if (found.trouble !== '') return;
    }
  }

  function note(scopes, status) {
    const trouble = TROUBLES[status];
    if (trouble) tell({ trouble });
    else if (status === 403 || AFTER_SCOPES.has(status)) {
      tell({ trouble: '', verdicts: new Map(found.verdicts).set(scopes, status !== 403) });
    }
  }

  function KeyPanel() {
    const token = authSelectors.authorized().first()?.get('value');
    const server = oas3Selectors.selectedServer();
    React.useEffect(() => {
      examine(token).catch(() => tell({ trouble: UNREACHABLE }));
    }, [token, server]);
    const { verdicts, trouble, quota } = useFound();
    if (!token)
      return element('p', { className: 'key' }, `No key is entered yet: expect 401 everywhere. ${KEPT}`);
    const scopes = (isGranted) => {
      const names = [...verdicts].filter(([, one]) => one === isGranted).map(([name]) => name);
      return names.flatMap((name, index) => [index > 0 && ', ', element('code', { key: name }, name)]);
    };
    const [granted, refused] = [scopes(true), scopes(false)];
    return element(
      'p',
      { className: 'key', role: 'status' },
      element('b', null, `Key ${hintOf(token)}`),
      ' (the console has its name and owner beside this hint). ',
      trouble !== '' && `${trouble} `,
      granted.length > 0 && ['It may use ', ...granted, '. '],
      refused.length > 0 && ['It lacks ', ...refused, ': expect 403 there. '],
      quota !== '' && `Expect 429 after ${quota}. `,
      KEPT,
    );
  }

  /** Beside an operation: whether the key may call it. */
  function Mark({ operationId }) {
    const { scopes, verdicts } = useFound();
    const needed = scopes.get(operationId);
    if (verdicts.get(needed) !== false) return null;
    return element('span', { className: 'refused' }, `403: needs ${needed}`);
  }

  return {
    components: { KeyPanel },
    wrapComponents: {
      OperationSummaryPath: (Original) => (props) =>
        element(
          React.Fragment,
          null,
          element(Original, props),
          element(Mark, {
            operationId:
              props.operationProps.get('originalOperationId') ?? props.operationProps.get('operationId'),
          }),
        ),
    },
    statePlugins: {
      spec: {
        wrapActions: {
          // A response to "Execute" says the same, and may say that it has changed.
          setResponse: (set) => (path, method, response) => {
            const id = specSelectors.specJson().getIn(['paths', path, method, 'operationId']);
            if (found.scopes.has(id)) note(found.scopes.get(id), response.status);
            return set(path, method, response);
          },
        },
      },
    },
  };
}

/** The last request of the dialog and its response, which the panel does not ask for again. */
let asked;

function takeAsked({ method, url, headers }) {
  const { request, response } = asked ?? {};
  asked = undefined;
  const isSame =
    request?.method === method &&
    request.url === url &&
    request.headers.get('Authorization') === headers.get('Authorization');
  return isSame ? response : undefined;
}

/**
 * Asks whether the service takes a key, by a request that changes nothing.
 *
 * @returns the reason not to use it, if any
 */
export async function refusalOf(token, selectors) {
  try {
    const [first] = probesOf(await twinOf(selectors.specSelectors));
    if (!first) return undefined;
    const request = requestOf(first, token, selectors);
    const response = await fetch(request);
    asked = { request, response };
    return response.status === 401 ? 'The service does not accept this key.' : undefined;
  } catch {
    return UNREACHABLE;
  }
}

/** The document in 3.1: that in 3.0 cannot name the scopes. */
let fetched;

/** Fetches the document once; after a failure, again. */
async function twinOf(specSelectors) {
  if (fetched) return fetched;
  const response = await fetch(new URL('openapi-3.1.json', specSelectors.url()));
  if (!response.ok) throw new Error(`The document is ${response.status}.`);
  fetched = await response.json();
  return fetched;
}

function targetOf(path, selectors) {
  const document = selectors.specSelectors.specJson().toJS();
  return `${baseOf(document, path, selectors)}${path.replaceAll(/\{[^}]*\}/g, '1')}`;
}

/** The key as the console lists it: enough to know it by, too little to use it. */
function hintOf(token) {
  return `${token.slice(0, 9)}…${token.slice(-4)}`;
}

/** The scopes that operations need, by operationId; several as one text. */
function scopesOf(twin) {
  return new Map(operationsOf(twin).map(({ operation, scopes }) => [operation.operationId, scopes]));
}

/**
 * An operation for each set of scopes. It is judged by its scopes first, and next by what `Accept` allows; so a request that
 * accepts nothing the service has ends with 403 or 406, before the operation does anything.
 */
function probesOf(twin) {
  const probes = new Map();
  for (const one of operationsOf(twin)) {
    const { examples = {} } = one.operation.responses.default?.content?.['application/json'] ?? {};
    const isJudged = 'insufficient_scope' in examples && 'not_acceptable' in examples;
    if (isJudged && !one.operation.deprecated && !probes.has(one.scopes)) probes.set(one.scopes, one);
  }
  return [...probes.values()].slice(0, MOST_PROBES);
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => Array.isArray(operation.security))
      .map(([method, operation]) => ({
        path,
        method,
        operation,
        scopes: Object.values(operation.security[0] ?? {})
          .flat()
          .join(' '),
      })),
  );
}

function requestOf({ path, method }, token, selectors) {
  const headers = { Accept: 'text/x-none', Authorization: `Bearer ${token}` };
  return new Request(targetOf(path, selectors), { method: method.toUpperCase(), headers, cache: 'no-store' });
}

/** `600 requests in 60 s`, of `"default";q=600;w=60`; empty where there is no limit. */
function quotaOf(headers) {
  const policy = /q=(\d+);w=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '');
  return policy ? `${policy[1]} requests in ${policy[2]} s` : '';
}
