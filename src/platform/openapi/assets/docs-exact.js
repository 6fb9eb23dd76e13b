import { copy } from './docs-copy.js';

/** A number as it was sent: those that a double cannot hold keep their digits. */
function exactNumber(_name, value, context) {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? JSON.rawJSON(context.source) : value;
}

/** JSON indented, or undefined for what is no JSON or in a browser that would round its integers. */
function indented(text) {
  try {
    return JSON.rawJSON && JSON.stringify(JSON.parse(text, exactNumber), null, 2);
  } catch {
    return undefined;
  }
}

const FILE = { fileName: 'response.json' };

/** Of a longer response this much is shown, without colours: they give every word an element of its own. */
const MOST_SHOWN = 50_000;

/** Swagger UI rounds integers above 2^53 in the responses it shows; identifiers here are 64 bits wide. */
export function exactResponses({ React, specSelectors }) {
  const element = React.createElement;

  function JsonBody({ text, HighlightCode }) {
    const shown = React.useMemo(() => indented(text) ?? text, [text]);
    return element(
      'div',
      { 'aria-live': 'polite' },
      explanationOf(text),
      shown.length > MOST_SHOWN
        ? element(LongText, { text: shown })
        : element(HighlightCode, { ...FILE, language: 'json', canCopy: true, downloadable: true }, shown),
    );
  }

  function LongText({ text }) {
    const href = React.useMemo(() => URL.createObjectURL(new Blob([text])), [text]);
    const [said, say] = React.useState('');
    const count = (number) => number.toLocaleString('en');
    return element(
      'div',
      { className: 'highlight-code' },
      element('p', null, `The first ${count(MOST_SHOWN)} of ${count(text.length)} characters. `),
      element('button', { onClick: () => void copy(text).then(say) }, 'Copy all'),
      element('a', { href, download: FILE.fileName }, 'Download'),
      element('span', { role: 'status' }, said),
      element('pre', { className: 'microlight', tabIndex: 0 }, text.slice(0, MOST_SHOWN)),
    );
  }

  /** Links to the guide's sentence about an error. */
  function explanationOf(text) {
    const code = text.length < 1_000 ? /^\{"code":"(\w+)"/.exec(text)?.[1] : undefined;
    if (!code) return null;
    const href = new URL(`guide#${code}`, specSelectors.url()).href;
    return element('p', null, element('a', { href, target: '_blank' }, `What ${code} means`));
  }

  return {
    wrapComponents: {
      responseBody:
        (Original, { getComponent }) =>
        (props) =>
          /json/i.test(props.contentType) && typeof props.content === 'string'
            ? element(JsonBody, { text: props.content, HighlightCode: getComponent('HighlightCode', true) })
            : element(Original, props),
    },
    statePlugins: {
      spec: {
        wrapActions: {
          // The body is shown by its text. Kept as objects as well, a long one takes seconds.
          setResponse:
            (set) =>
            (path, method, { obj: _obj, body: _body, data, ...response }) =>
              set(path, method, { ...response, ...(typeof data === 'string' ? { data } : {}) }),
        },
      },
    },
  };
}
