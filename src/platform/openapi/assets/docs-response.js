/** Shows the response of "Execute" directly below the button, then code, then what is documented, folded. */
export function responsesInReach({ React }) {
  const element = React.createElement;

  function Response({ response, getComponent, getConfigs }) {
    const section = React.useRef(null);
    const headers = response.get('headers')?.toJS() ?? {};
    // Swagger UI makes the object anew when any form changes, and the page must not jump then.
    React.useEffect(
      () => bringIntoView(section.current),
      [headers['x-request-id'], response.get('duration')],
    );
    const ResponseBody = getComponent('responseBody', true);
    return element(
      'section',
      { className: 'result', ref: section, 'aria-label': 'Response' },
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

  return {
    wrapComponents: {
      responses: (Original) => (props) =>
        element(
          React.Fragment,
          null,
          props.tryItOutResponse && element(Response, { ...props, response: props.tryItOutResponse }),
          element(props.getComponent('CodeSamples', true), { path: props.path, method: props.method }),
          element(
            'details',
            { className: 'documented' },
            element('summary', null, 'Documented responses'),
            element(Original, { ...props, tryItOutResponse: undefined }),
          ),
        ),
    },
  };
}

function bringIntoView(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  element.scrollIntoView({ block: height > innerHeight / 2 ? 'start' : 'end' });
}
