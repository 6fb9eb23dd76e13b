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

/** Pause in typing after which a picker searches, in milliseconds. */
const PICKER_PAUSE_MS = 200;

/**
 * Lets a field that refers to a record find it by its name while a person types. Without this script the field takes the number,
 * and browsers suggest the newest records.
 */
function makePicker(input) {
  const names = new Map();
  for (const { value, label } of input.list?.options ?? []) names.set(value, label);
  const list = Object.assign(document.createElement('ul'), { className: 'picker-list', hidden: true });
  const said = Object.assign(document.createElement('p'), { className: 'field-help' });
  list.id = `${input.id}-options`;
  list.role = 'listbox';
  list.ariaLabel = input.labels[0]?.textContent.trim();
  said.role = 'status';
  input.removeAttribute('list');
  input.role = 'combobox';
  input.ariaAutoComplete = 'list';
  input.setAttribute('aria-controls', list.id);
  const place = Object.assign(document.createElement('span'), { className: 'picker' });
  input.replaceWith(place);
  place.append(input, list);
  place.after(said);
  let asked = new AbortController();
  let timer;

  const showName = () => (said.textContent = names.get(input.value.trim()) ?? '');
  const activate = (option) => {
    for (const each of list.children) each.ariaSelected = each === option ? 'true' : 'false';
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const close = () => {
    clearTimeout(timer);
    asked.abort();
    list.hidden = true;
    input.ariaExpanded = 'false';
    activate(undefined);
  };
  const pick = (option) => {
    input.value = option.dataset.value;
    close();
    showName();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const show = ({ options, isCut }) => {
    list.replaceChildren(
      ...options.map(({ value, label }, i) => {
        names.set(value, label);
        const option = document.createElement('li');
        Object.assign(option, { id: `${list.id}-${i}`, role: 'option', ariaSelected: 'false' });
        option.dataset.value = value;
        const [name, number] = [document.createElement('bdi'), document.createElement('small')];
        name.textContent = label;
        number.textContent = value;
        option.append(name, number);
        return option;
      }),
    );
    list.hidden = options.length === 0;
    input.ariaExpanded = String(!list.hidden);
    activate(undefined);
    const found = options.length === 0 ? 'Nothing was found' : `${options.length} found`;
    said.textContent = isCut ? `${found} so far: type more of the name.` : `${found}.`;
  };
  const search = async () => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const address = `${input.dataset.picker}?q=${encodeURIComponent(input.value.trim())}`;
      const response = await fetch(address, { signal, redirect: 'error' });
      const found = await response.json();
      if (!signal.aborted && response.ok) show(found);
    } catch {
      // What was typed may be a number, which needs no search.
      if (!signal.aborted) close();
    }
  };

  input.addEventListener('input', (event) => {
    // A form that filters as one types waits until a record is chosen.
    event.stopPropagation();
    clearTimeout(timer);
    said.textContent = '';
    timer = setTimeout(() => void search(), PICKER_PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    const { key } = event;
    const options = [...list.children];
    const active = options.findIndex((each) => each.ariaSelected === 'true');
    if (key === 'Escape' || key === 'Tab') return close();
    if (key === 'Enter' && !list.hidden && active >= 0) pick(options[active]);
    else if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
    else if (list.hidden) void search();
    else activate(options.at((active + (key === 'ArrowDown' ? 1 : active < 0 ? 0 : -1)) % options.length));
    event.preventDefault();
  });
  input.addEventListener('blur', () => {
    const isOpen = !list.hidden;
    close();
    if (isOpen || said.textContent === '') showName();
  });
  // The field keeps the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const option = closest(target, '[role=option]');
    if (option) pick(option);
  });
  input.ariaExpanded = 'false';
  showName();
}

/** Makes pickers of the fields that are none: after a page has loaded, and after its filters were replaced. */
function makePickers() {
  for (const input of document.querySelectorAll('[data-picker]:not([role=combobox])')) {
    // One that was a picker before has its listeners still.
    const fresh = input.cloneNode();
    const hadFocus = document.activeElement === input;
    fresh.value = input.value;
    input.replaceWith(fresh);
    makePicker(fresh);
    if (hadFocus) fresh.focus();
  }
}

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
document.addEventListener('htmx:after:swap', makePickers);

showParts();
makePickers();
for (const button of document.querySelectorAll('[data-own-zone]')) showOwnZone(button);
for (const button of document.querySelectorAll('[data-keyboard]')) button.hidden = false;
document.querySelector('.error-summary')?.focus();
