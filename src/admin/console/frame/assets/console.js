// The script of all pages. Everything works without it: the script only makes some things shorter.

/** Finds the closest element; a form field named `closest` would hide the method of its form. */
const closest = (element, selector) => Element.prototype.closest.call(element, selector);

/** Shows the copy buttons, which do not work without this script. */
function showCopyButtons(root) {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false;
}

async function copy(button) {
  const label = button.querySelector('[data-copy-label]') ?? button;
  const said = label.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    label.textContent = 'Copied';
  } catch {
    // Browsers give no clipboard over a connection that is not encrypted: then the text is selected, to be copied by hand.
    const text = button.parentElement.querySelector('code');
    if (text) getSelection().selectAllChildren(text);
    label.textContent = 'Press Ctrl+C';
  }
  button.dataset.copied = '';
  setTimeout(() => {
    label.textContent = said;
    delete button.dataset.copied;
  }, 2_000);
}

document.addEventListener('click', (event) => {
  const button = closest(event.target, '[data-copy]');
  if (button) void copy(button);
});

/** Forms whose response is on its way. Not stored on the form: a field of the same name would hide that property. */
let sent = new WeakSet();

/** Sends a form once: a second click while the response is on its way does nothing. A download leaves the page as it is. */
document.addEventListener('submit', (event) => {
  if (event.submitter?.hasAttribute('data-download')) return;
  if (Element.prototype.getAttribute.call(event.target, 'method') !== 'post') return;
  if (sent.has(event.target)) event.preventDefault();
  else sent.add(event.target);
});
// Going back in the history restores a page as it was left.
window.addEventListener('pageshow', () => (sent = new WeakSet()));

/** The part of the page that refreshes itself, if the event is about it. */
function refreshing({ target }) {
  const part = document.querySelector('[data-refresh]');
  return part === target ? part : null;
}

/** Skips a refresh while the page is hidden, or an open part of it would be closed. */
document.addEventListener('htmx:before:request', (event) => {
  const part = refreshing(event);
  if (part && (document.hidden || part.querySelector('details[open]'))) event.preventDefault();
});

/** Keeps a part that cannot be refreshed as it is, and shows that. */
function staysAsItIs(event) {
  const fault = refreshing(event)?.querySelector('[data-refresh-fault]');
  if (!fault || event.detail?.ctx?.response?.status === 200) return;
  fault.hidden = false;
  event.preventDefault();
}
document.addEventListener('htmx:before:swap', staysAsItIs);
document.addEventListener('htmx:error', staysAsItIs);

/** Shows the checkbox for all rows of a table, which needs this script. */
function showChooseAll(root) {
  for (const box of root.querySelectorAll('[data-choose-all]')) box.hidden = false;
}

document.addEventListener('change', ({ target }) => {
  const table = closest(target, 'table');
  const all = table?.querySelector('[data-choose-all]');
  if (!all) return;
  const boxes = [...table.querySelectorAll('td.row-choice input')];
  if (target === all) for (const box of boxes) box.checked = all.checked;
  const chosen = boxes.filter((box) => box.checked).length;
  all.checked = chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
});

/** Follows the link of a row's title on a click anywhere in the row. */
document.addEventListener('click', (event) => {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (closest(target, 'a, button, input, label, summary') || !getSelection().isCollapsed) return;
  const link = closest(target, 'tbody > tr')?.querySelector('th .row-title');
  link?.dispatchEvent(
    new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  );
});

/** Shows the hint of a chart at once and beside the pointer. Without this script browsers show it after a while. */
const tip = document.createElement('div');
tip.className = 'chart-tip';
tip.ariaHidden = 'true';

document.addEventListener('pointermove', ({ target, clientX, clientY }) => {
  const moment = target instanceof Element ? closest(target, '.chart-hint') : null;
  if (!moment) return tip.remove();
  const title = moment.querySelector('title');
  if (title) {
    moment.dataset.tip = title.textContent;
    title.remove();
  }
  tip.textContent = moment.dataset.tip;
  document.body.append(tip);
  const isRight = clientX + 24 + tip.offsetWidth > innerWidth;
  tip.style.left = `${isRight ? clientX - 12 - tip.offsetWidth : clientX + 12}px`;
  tip.style.top = `${Math.max(8, clientY - 12 - tip.offsetHeight)}px`;
});

/** Opens the search in a dialog on the page; the search page itself has no dialog, and only the box is selected. */
function openFind() {
  document.querySelector('#sidebar').hidePopover();
  const dialog = document.querySelector('dialog.find');
  if (dialog && !dialog.open) dialog.showModal();
  document.querySelector('#find-text').select();
}

/** Lists the keys of the keyboard. */
function openKeyboard() {
  document.querySelector('#sidebar').hidePopover();
  if (!document.querySelector('dialog[open]')) document.querySelector('dialog.keyboard').showModal();
}

document.addEventListener('click', (event) => {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (closest(target, 'dialog') === target) target.close();
  if (closest(target, '[data-keyboard]')) openKeyboard();
  if (!closest(target, '[data-find]') || ctrlKey || metaKey || shiftKey) return;
  event.preventDefault();
  openFind();
});

/** Moves the focus from the search box down through the results and back; Enter follows the focused link. */
function moveInFound(event) {
  const stops = [document.querySelector('#find-text'), ...document.querySelectorAll('#found a')];
  const at = stops.indexOf(event.target);
  const next = at < 0 ? undefined : stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (key === 'ArrowDown' || key === 'ArrowUp') return moveInFound(event);
  const isCommand = key === 'k' && ctrlKey !== metaKey && !altKey;
  const isPlain = !closest(target, 'input, textarea, select') && !ctrlKey && !metaKey && !altKey;
  const open =
    isCommand || (isPlain && key === '/') ? openFind : isPlain && key === '?' ? openKeyboard : undefined;
  // Pages before the sign-in have neither.
  if (!open || !document.querySelector('#find-text')) return;
  event.preventDefault();
  open();
});

/** Offers the browser's time zone, which only the browser knows. */
function showOwnZone(button) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  button.value = zone;
  button.textContent = `Use the zone of this browser: ${zone.replaceAll('_', ' ')}`;
  button.hidden = false;
}

function showParts() {
  showCopyButtons(document);
  showChooseAll(document);
}

document.addEventListener('htmx:after:swap', showParts);

showParts();
for (const button of document.querySelectorAll('[data-own-zone]')) showOwnZone(button);
for (const button of document.querySelectorAll('[data-keyboard]')) button.hidden = false;
document.querySelector('.error-summary')?.focus();
