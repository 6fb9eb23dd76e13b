import { addCopyButtons } from './docs-copy.js';

/** More results than these help no reader. */
const MOST_RESULTS = 12;

const nav = document.querySelector('.side');
const entries = [...document.querySelectorAll('main [id]')].map(entryOf);

nav.prepend(searchForm());
addCopyButtons(document.querySelector('main'));

/** Describes something to find: a section, a part of one or a row of a table; its anchor, title and text. */
function entryOf(element) {
  const isRow = element.matches('td');
  const section = element.closest('section').querySelector('h2').textContent;
  const own = element.textContent;
  const text = isRow ? element.parentElement.innerText : textBelow(element);
  return {
    id: element.id,
    title: element.matches('h2') ? own : `${section}: ${own}`,
    text: `${own} ${text}`,
  };
}

/** The text up to the next heading. */
function textBelow(heading) {
  const texts = [];
  for (
    let next = heading.nextElementSibling;
    next && !next.matches('h2, h3');
    next = next.nextElementSibling
  ) {
    // Rows with an anchor are found by themselves.
    if (!next.querySelector('td[id]')) texts.push(next.textContent);
  }
  return texts.join(' ');
}

/** Without JavaScript the page has no search, and the browser's own. */
function searchForm() {
  const form = document.createElement('search');
  const label = document.createElement('label');
  const input = document.createElement('input');
  const status = document.createElement('p');
  const results = document.createElement('ul');
  input.type = 'search';
  status.role = 'status';
  label.append('Search', input);
  form.append(label, status, results);
  input.addEventListener('input', () => {
    const found = find(input.value);
    status.textContent = input.value.trim() === '' ? '' : `${found.length} found`;
    results.replaceChildren(...found.slice(0, MOST_RESULTS).map(resultOf));
  });
  return form;
}

/** The entries that have all words; those with a word in their title come first. */
function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (value) => words.every((word) => value.toLowerCase().includes(word));
  return entries
    .filter((entry) => has(entry.text))
    .sort((a, b) => Number(has(b.title)) - Number(has(a.title)));
}

function resultOf({ id, title }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `#${id}`;
  link.textContent = title;
  item.append(link);
  return item;
}
