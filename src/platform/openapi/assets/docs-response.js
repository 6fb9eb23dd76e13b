/** Shows the response of "Execute" directly below the button, and a line for each documented one, which opens. */
export function responsesInReach({ React, specSelectors, getComponent }) {
  const element = React.createElement;

  function Response({ response, getConfigs }) {
    const section = React.useRef(null);
    const headers = response.get('headers')?.toJS() ?? {};
    // Swagger UI makes the object anew when any form changes, and the page must not jump then.
    React.useEffect(() => section.current.focus(), [headers['x-request-id'], response.get('duration')]);
    const ResponseBody = getComponent('responseBody', true);
    return element(
      'section',
      { className: 'result', ref: section, tabIndex: -1, 'aria-label': 'Response' },
      element('p', { className: 'result-line', role: 'status' }, ...statusOf(response)),
      response.get('text') &&
        element(ResponseBody, {
          content: response.get('text'),
          contentType: headers['content-type'],
          url: response.get('url'),
          headers,
          getConfigs,
          getComponent,
        }),
      Object.keys(headers).length > 0 &&
        element(
          'details',
          null,
          element('summary', null, 'Headers'),
          element(
            'pre',
            { className: 'microlight', tabIndex: 0 },
            Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n'),
          ),
        ),
    );
  }

  function statusOf(response) {
    const took = response.get('duration');
    if (response.get('error') && !response.get('status')) return ['The service cannot be reached.'];
    const words = `${response.get('status')} ${response.get('statusText') ?? ''}`.trim();
    return [element('b', { className: 'result-status' }, words), took === undefined ? '' : ` in ${took} ms`];
  }

  /** Swagger UI's row of a response within one that folds it; its description and error codes are seen before. */
  function DocumentedResponse({ Row, ...props }) {
    const { code, response } = props;
    const Markdown = getComponent('Markdown', true);
    const [isOpen, open] = React.useState(code.startsWith('2'));
    const links = codesOf(response).map(
      (name) => `[\`${name}\`](${new URL(`guide#${name}`, specSelectors.url()).href})`,
    );
    return element(
      'tr',
      null,
      element(
        'td',
        null,
        element(
          'details',
          { open: isOpen, onToggle: (event) => open(event.currentTarget.open) },
          element(
            'summary',
            null,
            element('b', null, code),
            element(Markdown, { source: response.get('description') }),
          ),
          isOpen && element('table', null, element('tbody', null, element(Row, props))),
        ),
        links.length > 0 && element(Markdown, { source: links.join(' ') }),
      ),
    );
  }

  return {
    wrapComponents: {
      response: (Row) => (props) => element(DocumentedResponse, { ...props, Row }),
      responses: (Original) => (props) =>
        element(
          React.Fragment,
          null,
          props.tryItOutResponse && element(Response, { ...props, response: props.tryItOutResponse }),
          element(getComponent('CodeSamples', true), { path: props.path, method: props.method }),
          element(Original, { ...props, tryItOutResponse: undefined }),
        ),
    },
  };
}

/** The error codes of a documented response. */
function codesOf(response) {
  const media = response.getIn(['content', 'application/json']);
  if (!media?.getIn(['schema', '$$ref'], '').endsWith('/Error')) return [];
  const examples = media.get('examples')?.map((example) => example.get('value')) ?? [media.get('example')];
  return [...examples.values()].map((example) => example?.get('code')).filter(Boolean);
}
