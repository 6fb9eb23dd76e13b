/** Meanings of responses that say nothing about scopes. */
const TROUBLES = {
  401: 'The service does not accept this key: every request gets 401.',
  429: 'This key has sent too many requests: the rest of this minute gets 429.',
  503: 'The service is not ready: requests get 503.',
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

  async function examine(token) {
    tell({ token, verdicts: new Map(), trouble: '', quota: '' });
    if (!token) return;
    const response = await (takeAsked(token) ?? askAbout(token, { specSelectors, oas3Selectors }));
    const scopes = scopesOf(await twinOf(specSelectors));
    // Another key may have been entered meanwhile.
    if (found.token !== token) return;
    tell({ scopes, trouble: TROUBLES[response.status] ?? '' });
    if (!response.ok) return;
    const { scopes: granted, requestsPerMinute } = response.facts;
    const isGranted = (needed) => needed.split(' ').every((scope) => granted.includes(scope));
    tell({
      verdicts: new Map([...scopes.values()].map((needed) => [needed, isGranted(needed)])),
      quota: requestsPerMinute > 0 ? `${requestsPerMinute} requests in a minute` : '',
    });
  }

  /** Notes what the response to "Execute" says of the scopes, which may have changed. */
  function note(scopes, status) {
    const trouble = TROUBLES[status];
    if (trouble) tell({ trouble });
    else if (status === 403 || status < 400) {
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
    if (!token) return element('p', { className: 'key' }, `Without a key every request gets 401. ${KEPT}`);
    const scopes = (isGranted) => {
      const names = [...verdicts].filter(([, one]) => one === isGranted).map(([name]) => name);
      return names.flatMap((name, index) => [index > 0 && ', ', element('code', { key: name }, name)]);
    };
    const [granted, refused] = [scopes(true), scopes(false)];
    return element(
      'p',
      { className: 'key', role: 'status' },
      element('b', null, `Key ${hintOf(token)}`),
      '. ',
      trouble !== '' && `${trouble} `,
      granted.length > 0 && ['Scopes: ', ...granted, '. '],
      refused.length > 0 && ['Operations that need ', ...refused, ' get 403. '],
      quota !== '' && `Limit: ${quota}. `,
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

/** What the dialog asked last, which the panel does not ask again. */
let asked;

function takeAsked(token) {
  const response = asked?.token === token ? asked.response : undefined;
  asked = undefined;
  return response;
}

/** Asks the chosen server what a key may do. */
async function askAbout(token, { specSelectors, oas3Selectors }) {
  const server = oas3Selectors.selectedServer() || specSelectors.specJson().getIn(['servers', 0, 'url']);
  const response = await fetch(new URL('docs/key', new URL(server, specSelectors.url())), {
    headers: { Authorization: `Bearer ${token}` },
    cache: 'no-store',
  });
  const { ok, status } = response;
  return { ok, status, facts: ok ? await response.json() : undefined };
}

/**
 * Asks whether the service accepts a key.
 *
 * @returns the reason not to use it, if any
 */
export async function refusalOf(token, selectors) {
  try {
    const response = await askAbout(token, selectors);
    asked = { token, response };
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

/** The key as the console lists it: enough to know it by, too little to use it. */
function hintOf(token) {
  return `${token.slice(0, 9)}…${token.slice(-4)}`;
}

/** The scopes that operations need, by operationId; several as one text. */
function scopesOf({ paths }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return new Map(
    operations
      .filter(({ security }) => security?.length > 0)
      .map(({ operationId, security: [needed] }) => [operationId, Object.values(needed).flat().join(' ')]),
  );
}
