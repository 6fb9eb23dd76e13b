import { findSections, saysAll } from './docs-guide.js';

/** The list of operations at the side, by their tags: it finds them, leads to them and marks the one on the screen. */
export function operationsNav({ React, specSelectors, layoutSelectors, layoutActions }) {
  const element = React.createElement;

  function OperationsNav({ isShort }) {
    const [isUnfolded, unfold] = React.useState(false);
    const [here, mark] = React.useState('');
    const [sections, setSections] = React.useState([]);
    const search = React.useRef(null);
    const words = layoutSelectors.currentFilter() || '';
    const groups = specSelectors.taggedOperations().map((group) => group.get('operations'));

    React.useEffect(() => {
      let isLatest = true;
      void findSections(words).then((found) => isLatest && setSections(found));
      return () => {
        isLatest = false;
      };
    }, [words]);

    React.useEffect(() => {
      const look = () => {
        const { left } = document.getElementById('operations').getBoundingClientRect();
        // Below the bar of a narrow screen.
        const operation = document.elementFromPoint(left + 40, 80)?.closest('.opblock');
        if (operation) mark(operation.id);
      };
      const find = (event) => {
        if (event.key !== '/' || event.target.closest('input, textarea, select, dialog')) return;
        event.preventDefault();
        unfold(true);
        requestAnimationFrame(() => search.current.focus());
      };
      addEventListener('scroll', look, { passive: true });
      addEventListener('keydown', find);
    }, []);

    function Entry({ tag, operation }) {
      const { operationId: id, summary, deprecated } = operation.get('operation').toObject();
      const method = operation.get('method');
      const lead = (event) => {
        event.preventDefault();
        unfold(false);
        leadTo(tag, id);
      };
      return element(
        'li',
        null,
        element(
          'a',
          {
            href: `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`,
            'aria-current': here === elementId(tag, id) ? 'location' : undefined,
            onClick: lead,
          },
          element('span', { className: `method ${method}` }, method),
          element('span', { className: deprecated && 'deprecated' }, summary ?? operation.get('path')),
        ),
      );
    }

    const group = ([tag, operations], index) => {
      const isHere = here ? here.startsWith(elementId(tag, '')) : index === 0;
      return element(
        'details',
        { key: tag, open: isShort || words !== '' || isHere },
        element('summary', null, tag, ' ', element('small', null, operations.size)),
        element('ul', null, ...operations.map((operation) => Entry({ tag, operation }))),
      );
    };
    return element(
      'nav',
      { className: 'side operations', 'aria-label': 'Operations' },
      element('button', { 'aria-expanded': isUnfolded, onClick: () => unfold(!isUnfolded) }, 'Operations'),
      element(
        'div',
        { onKeyDown: step },
        element('input', {
          ref: search,
          type: 'search',
          placeholder: 'Search: press /',
          'aria-label': 'Search operations',
          'aria-keyshortcuts': '/',
          value: words,
          onChange: (event) => layoutActions.updateFilter(event.target.value),
        }),
        element(
          'p',
          { role: 'status' },
          words && `${groups.reduce((sum, { size }) => sum + size, sections.length)} found`,
        ),
        groups.entrySeq().map(group),
        sections.length > 0 &&
          element(
            'details',
            { open: true },
            element('summary', null, 'Guide ', element('small', null, sections.length)),
            element(
              'ul',
              null,
              ...sections.map(({ href, title }) => element('li', null, element('a', { href }, title))),
            ),
          ),
      ),
    );
  }

  function leadTo(tag, id) {
    layoutActions.show(['operations-tag', tag], true);
    layoutActions.show(['operations', tag, id], true);
    layoutActions.scrollToVirtualizedOperation(['operations', tag, id]);
    requestAnimationFrame(() => {
      const operation = document.getElementById(elementId(tag, id));
      if (!operation) return;
      operation.querySelector('button').focus({ preventScroll: true });
      // Its body comes later, and until then the page may end too early to bring it to the top.
      const growth = new ResizeObserver(() => {
        operation.scrollIntoView();
        if (operation.querySelector('.responses-wrapper')) growth.disconnect();
      });
      growth.observe(operation);
    });
  }

  return { components: { OperationsNav }, fn: { opsFilter: withText } };
}

/** The id that Swagger UI gives the element of an operation. */
function elementId(tag, id) {
  return `operations-${tag.replaceAll(/\s/g, '_')}-${id}`;
}

/** Goes through what is found: by arrows from match to match, by Enter in the search to the first. */
function step(event) {
  const list = event.currentTarget;
  const stops = [...list.querySelectorAll('input, a')].filter((each) => each.checkVisibility());
  const at = stops.indexOf(document.activeElement);
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) stops[(at + by + stops.length) % stops.length].focus();
  else if (event.key === 'Enter' && at === 0) stops[1]?.click();
  else return;
  event.preventDefault();
}

/** The operations that say each word of a text of themselves, their parameters or their tag, by their tags. */
function withText(groups, text) {
  const has = (tag, one) =>
    saysAll(`${tag} ${one.get('method')} ${one.get('path')} ${textOf(one.get('operation'))}`, text);
  return groups
    .map((group, tag) => group.update('operations', (all) => all.filter((one) => has(tag, one))))
    .filter((group) => group.get('operations').size > 0);
}

/** What the page shows of an operation in words. */
function textOf(operation) {
  const parameters = [...(operation.get('parameters') ?? [])];
  return [operation, ...parameters]
    .flatMap((each) => ['operationId', 'name', 'summary', 'description'].map((name) => each.get(name)))
    .join(' ');
}
