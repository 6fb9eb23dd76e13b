/**
 * Puts a text on the clipboard.
 *
 * @returns what to tell the reader
 */
export async function copy(text) {
  try {
    // Browsers offer it on https and on localhost only.
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    return 'The browser does not let this page copy. Select the text instead.';
  }
}

/** Milliseconds that a word about what was copied is shown. */
const SHOWN = 3_000;

/** Gives every piece of code below an element a button that copies it. */
export function addCopyButtons(root) {
  for (const place of root.querySelectorAll('.code')) {
    const button = document.createElement('button');
    const status = document.createElement('span');
    const code = place.querySelector('pre').textContent.trimEnd();
    button.type = 'button';
    button.textContent = 'Copy';
    status.role = 'status';
    const say = (text) => {
      status.textContent = text;
      setTimeout(() => (status.textContent = ''), SHOWN);
    };
    button.addEventListener('click', () => void copy(code).then(say));
    place.firstElementChild.append(status, button);
  }
}
