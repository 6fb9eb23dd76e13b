import { baseOf } from './docs-samples.js';

/** What Swagger UI leaves out or says wrongly to assistive technology: selector, attribute, and the value it is to have. */
const ATTRIBUTES = [
  ['select#servers', 'aria-label', () => 'Server'],
  ['.parameters-col_description select', 'aria-label', (select) => select.closest('tr').dataset.paramName],
  ['.examples-select-element', 'aria-label', () => 'Example'],
  ['textarea.body-param__text', 'aria-label', () => 'Request body'],
  // What these show says it, and a table is no region.
  ['table.responses-table', 'role', () => null],
  // Code may be wider than its place, and the keyboard has to reach what scrolls.
  ['pre', 'tabindex', () => '0'],
];

/**
 * Gives the controls of Swagger UI the names and roles that it leaves out.
 *
 * @param root the element that Swagger UI renders into
 */
export function nameControls(root) {
  new MutationObserver(() => {
    for (const [selector, attribute, valueOf] of ATTRIBUTES) {
      for (const element of root.querySelectorAll(selector))
        setAttribute(element, attribute, valueOf(element));
    }
  }).observe(root, { childList: true, subtree: true });
}

function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Days as people read them, in UTC. */
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Shows an operation's path with its base, and when it is to be removed, before it is opened. In Swagger UI the path is a
 * link within the button that opens it; the button alone is enough.
 */
export function operationPaths({ React, specSelectors, oas3Selectors }) {
  const element = React.createElement;

  function Path({ text }) {
    // Swagger UI puts places to break the line between the parts.
    const path = [text]
      .flat()
      .filter((part) => typeof part === 'string')
      .join('');
    const { pathname } = new URL(
      baseOf(specSelectors.specJson().toJS(), path, { specSelectors, oas3Selectors }),
    );
    return element('span', null, pathname.replace(/\/$/, ''), element('span', null, text));
  }

  /** The header `Sunset` is documented with its value (RFC 8594). */
  function Removal({ path, method }) {
    const headers = ['paths', path, method, 'responses', '200', 'headers', 'Sunset', 'example'];
    const at = new Date(specSelectors.specJson().getIn(headers) ?? '');
    return isNaN(at) ? null : element('span', { className: 'removal' }, `To be removed on ${DAY.format(at)}`);
  }

  return {
    components: { CopyToClipboardBtn: () => null },
    wrapComponents: {
      OperationSummaryPath: (Original) => (props) =>
        element(
          React.Fragment,
          null,
          element(Original, {
            ...props,
            getComponent: (name, ...rest) => (name === 'DeepLink' ? Path : props.getComponent(name, ...rest)),
          }),
          element(Removal, {
            path: props.operationProps.get('path'),
            method: props.operationProps.get('method'),
          }),
        ),
    },
  };
}
