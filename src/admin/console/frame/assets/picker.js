// The script of fields that refer to a record.

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
  const field = input.closest('.field');
  // A form that filters is replaced with its list: the person may be typing here meanwhile.
  field.setAttribute('hx-morph-skip', '');
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
    input.removeAttribute('aria-invalid');
    field.classList.remove('field-faulty');
    field.querySelector('.field-error')?.remove();
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
    const option = target.closest('[role=option]');
    if (option) pick(option);
  });
  input.ariaExpanded = 'false';
  showName();
}

for (const input of document.querySelectorAll('[data-picker]')) makePicker(input);
