/** With so many operations at most the first is open, unless the address names one. */
const FEW_OPERATIONS = 5;

/** With more operations than this the groups are folded, but for the first and for what is searched for. */
const MANY_OPERATIONS = 20;

/** The list of operations beside the operations: the page itself has the introduction, so Swagger UI's own is left out. */
export function docsLayout({ React, specSelectors, layoutActions }) {
  const element = React.createElement;

  function DocsLayout({ getComponent }) {
    const part = (name, props) => element(getComponent(name, true), props);
    const isLoaded = specSelectors.loadingStatus() === 'success' && specSelectors.specStr() !== '';
    React.useEffect(() => {
      if (isLoaded && location.hash === '') openFirst();
    }, [isLoaded]);
    if (!isLoaded) return part('BaseLayout');
    return element(
      'div',
      { className: 'swagger-ui' },
      part('OperationsNav', { isShort: !isLong() }),
      element(
        'main',
        { id: 'operations', tabIndex: -1 },
        element(
          'section',
          { className: 'toolbar', 'aria-label': 'Access' },
          element('h2', { className: 'unseen' }, 'Access'),
          specSelectors.servers().size > 1 && part('ServersContainer'),
          part('AuthorizeBtnContainer'),
          part('KeyPanel'),
        ),
        part('errors'),
        element('h2', { className: 'unseen' }, 'Operations'),
        specSelectors.taggedOperations().size > 0 && part('operations'),
      ),
    );
  }

  const isLong = () => specSelectors.operations().size > MANY_OPERATIONS;

  function openFirst() {
    if (specSelectors.operations().size > FEW_OPERATIONS) return;
    const [tag, first] = specSelectors.taggedOperations().entrySeq().first() ?? [];
    const id = first?.getIn(['operations', 0, 'operation', 'operationId']);
    if (id) layoutActions.show(['operations', tag, id], true);
  }

  return {
    components: { DocsLayout },
    statePlugins: {
      layout: {
        wrapSelectors: {
          isShown: (isShown) => (state, key, byDefault) => {
            const [kind, tag] = [key].flat();
            const isFolded =
              kind === 'operations-tag' &&
              isLong() &&
              !state.get('filter') &&
              tag !== specSelectors.taggedOperations().keySeq().first();
            return isShown(key, byDefault && !isFolded);
          },
        },
      },
    },
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
