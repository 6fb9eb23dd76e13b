/** Most sections of the guide that a search shows. */
const MOST_SECTIONS = 8;

let guide;

/** Whether a text has each word of what is searched for. */
export function saysAll(text, words) {
  const said = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** The sections of the guide with all words, those with the words in their titles first: `{title, href}`. */
export async function findSections(words) {
  if (words.trim() === '') return [];
  guide ??= readGuide();
  const found = (await guide).filter(({ title, text }) => saysAll(`${title} ${text}`, words));
  const rank = ({ title }) => (saysAll(title, words) ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, MOST_SECTIONS);
}

/** Reads the guide at the first search; it is none when it cannot be read. */
async function readGuide() {
  try {
    const page = await (await fetch('docs/guide')).text();
    const { body } = new DOMParser().parseFromString(page, 'text/html');
    return [...body.querySelectorAll('main > section')].map((section) => {
      const { id, textContent: title } = section.querySelector('h2');
      return { title, text: section.textContent, href: `docs/guide#${id}` };
    });
  } catch {
    return [];
  }
}
