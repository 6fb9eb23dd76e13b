// What pages do with JavaScript. All they need they also do without: this only makes some of it shorter.

/** Buttons that copy are of no use without this script, so it shows them. */
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
    // Over a connection that is not encrypted browsers give no clipboard: then it is marked, to be copied by hand.
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
  const button = event.target.closest?.('[data-copy]');
  if (button) void copy(button);
});

/** A form is sent once: a second click while the answer is on its way does nothing. */
document.addEventListener('submit', (event) => {
  if (event.target.method !== 'post') return;
  if (event.target.dataset.sent !== undefined) event.preventDefault();
  event.target.dataset.sent = '';
});
// Back brings a page as it was left.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

/** Parts that refresh themselves wait while somebody reads what a refresh would close, and while nobody sees them. */
document.addEventListener('htmx:before:request', (event) => {
  const part = event.target.closest?.('[data-refresh]');
  if (part === event.target && (document.hidden || part?.querySelector('details[open]')))
    event.preventDefault();
});

/** What cannot be refreshed stays, and says so. */
function staysAsItIs(event) {
  const fault = event.target.querySelector?.('[data-refresh-fault]');
  if (!fault || event.detail?.ctx?.response?.status === 200) return;
  fault.hidden = false;
  event.preventDefault();
}
document.addEventListener('htmx:before:swap', staysAsItIs);
document.addEventListener('htmx:error', staysAsItIs);

/** Tables that are wider than their place can be scrolled by keys. */
document.addEventListener('htmx:after:swap', () => showCopyButtons(document));

showCopyButtons(document);
document.querySelector('.error-summary')?.focus();
