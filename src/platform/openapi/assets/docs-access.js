/** What Swagger UI leaves out or says wrongly to assistive technology: selector, attribute, and the value it is to have. */
const ATTRIBUTES = [
  ['select#servers', 'aria-label', () => 'Server'],
  ['.parameters-col_description select', 'aria-label', (select) => select.closest('tr').dataset.paramName],
  ['.examples-select-element', 'aria-label', () => 'Example'],
  ['textarea.body-param__text', 'aria-label', () => 'Request body'],
  ['.close-modal', 'aria-label', () => 'Close'],
  ['.modal-ux', 'aria-label', () => 'Available authorizations'],
  ['.modal-ux', 'role', () => 'dialog'],
  ['.modal-ux', 'aria-modal', () => 'true'],
  // What these show says it, and a table is no region.
  ['.modal-btn', 'aria-label', () => null],
  ['table.responses-table', 'role', () => null],
  // It says how far along the form is; it heads nothing.
  ['.auth-container h6', 'role', () => 'presentation'],
  // Code may be wider than its place, and the keyboard has to reach what scrolls.
  ['pre', 'tabindex', () => '0'],
];

/**
 * Gives the controls of Swagger UI the names and roles that it leaves out, and lets the keyboard alone use its dialog.
 *
 * @param root the element that Swagger UI renders into
 */
export function nameControls(root) {
  let opener = null;
  let isOpen = false;
  const mend = () => {
    for (const [selector, attribute, valueOf] of ATTRIBUTES) {
      for (const element of root.querySelectorAll(selector))
        setAttribute(element, attribute, valueOf(element));
    }
    const dialog = root.querySelector('.modal-ux');
    // Swagger UI makes the form anew when it has taken a key, and then the focus is nowhere.
    if (dialog && document.activeElement === document.body) dialog.querySelector('.modal-btn')?.focus();
    if (!dialog && isOpen) opener?.focus();
    isOpen = dialog !== null;
  };
  root.addEventListener('focusin', ({ target }) => {
    if (!target.closest('.modal-ux')) opener = target;
  });
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
  root.addEventListener('keydown', keepWithinDialog);
}

function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Tab goes round within the open dialog. */
function keepWithinDialog(event) {
  const dialog = event.target.closest('.modal-ux');
  if (event.key !== 'Tab' || !dialog) return;
  const stops = [...dialog.querySelectorAll('button, input, a[href]')];
  const [first, last] = [stops[0], stops.at(-1)];
  const [from, to] = event.shiftKey ? [first, last] : [last, first];
  if (event.target !== from) return;
  event.preventDefault();
  to.focus();
}

/** The path of an operation is a link within the button that opens it; the button alone is enough. */
export function plainPaths() {
  return {
    wrapComponents: {
      OperationSummaryPath:
        (Original, { React }) =>
        (props) =>
          React.createElement(Original, {
            ...props,
            getComponent: (name, ...rest) =>
              name === 'DeepLink' ? PlainText(React) : props.getComponent(name, ...rest),
          }),
    },
  };
}

let plainText;

/** One component for all, or React would make each anew. */
function PlainText(React) {
  plainText ??= ({ text }) => React.createElement('span', null, ...[text].flat());
  return plainText;
}
