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

/** Swagger UI rounds integers above 2^53 in the responses it shows; identifiers here are 64 bits wide. */
export function exactResponses() {
  return {
    wrapComponents: {
      responseBody:
        (Original, { React, getComponent }) =>
        (props) => {
          const isJson = /json/i.test(props.contentType) && typeof props.content === 'string';
          if (!isJson) return React.createElement(Original, props);
          const content = indented(props.content) ?? props.content;
          const language = { language: 'json', canCopy: true, downloadable: true, fileName: 'answer.json' };
          return React.createElement(
            'div',
            null,
            React.createElement('h5', null, 'Response body'),
            React.createElement(getComponent('HighlightCode', true), language, content),
          );
        },
    },
  };
}

/** Swagger UI fills a parameter in with its schema's example; one that may be left out is to stay out. */
export function emptyOptionalParameters() {
  return {
    statePlugins: {
      spec: {
        wrapSelectors: {
          parameterWithMetaByIdentity:
            (select) =>
            (...given) => {
              const parameter = select(...given);
              return parameter?.get('required') === false
                ? parameter.deleteIn(['schema', 'example'])
                : parameter;
            },
        },
      },
    },
  };
}
