/** With more operations than this there is a field to find them by. */
const MANY_OPERATIONS = 20;

/** With so many operations at most the first is open, unless the address names one. */
const FEW_OPERATIONS = 5;

/** The operations first: the page itself has the introduction, so Swagger UI's own is left out. */
export function docsLayout({ React, specSelectors, layoutActions }) {
  const element = React.createElement;

  function DocsLayout({ getComponent }) {
    const part = (name) => element(getComponent(name, true));
    const isLoaded = specSelectors.loadingStatus() === 'success' && specSelectors.specStr() !== '';
    React.useEffect(() => {
      if (isLoaded && location.hash === '') openFirst();
    }, [isLoaded]);
    if (!isLoaded) return part('BaseLayout');
    return element(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      element(
        'section',
        { className: 'toolbar', 'aria-label': 'Access' },
        element('h2', { className: 'unseen' }, 'Access'),
        specSelectors.servers().size > 1 && part('ServersContainer'),
        part('AuthorizeBtnContainer'),
        part('KeyPanel'),
      ),
      element(
        'main',
        { id: 'operations', tabIndex: -1 },
        part('errors'),
        element('h2', { className: 'unseen' }, 'Operations'),
        specSelectors.operations().size > MANY_OPERATIONS && part('FilterContainer'),
        part('operations'),
        part('Models'),
      ),
    );
  }

  function openFirst() {
    if (specSelectors.operations().size > FEW_OPERATIONS) return;
    const [tag, first] = specSelectors.taggedOperations().entrySeq().first() ?? [];
    const id = first?.getIn(['operations', 0, 'operation', 'operationId']);
    if (id) layoutActions.show(['operations', tag, id], true);
  }

  return {
    components: { DocsLayout },
    fn: { opsFilter: withText },
    wrapComponents: {
      // Every response has a table of them, longer than all that is said of it besides.
      headers: (Original) => (props) =>
        element(
          'details',
          { className: 'documented-headers' },
          element('summary', null, 'Headers'),
          element(Original, props),
        ),
    },
  };
}

/** The operations whose path, summary or tag has the text, by their tags. */
function withText(tags, text) {
  const wanted = text.toLowerCase();
  const has = (value) =>
    String(value ?? '')
      .toLowerCase()
      .includes(wanted);
  return tags
    .map((tag, name) =>
      has(name)
        ? tag
        : tag.update('operations', (operations) =>
            operations.filter(
              (one) =>
                has(one.get('path')) || has(one.getIn(['operation', 'summary'])) || has(one.get('method')),
            ),
          ),
    )
    .filter((tag) => tag.get('operations').size > 0);
}
