/* Functions that run in the page of Swagger UI. Each gives milliseconds until what it waits for has been painted. */

/** Set up before the page loads: leaves in `firstOperations` how long it took to the first operations. */
export function observeFirstOperations() {
  globalThis.painted = () =>
    new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))),
    );
  globalThis.appeared = (isThere) =>
    new Promise((resolve) => {
      const look = () => {
        if (!isThere()) return;
        observer.disconnect();
        resolve(globalThis.painted());
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true });
      look();
    });
  globalThis.firstOperations = globalThis.appeared(() => document.querySelector('.opblock') !== null);
}

/** Opens the first operation that is closed, with its code and its responses. */
export async function timeOpening() {
  const operation = document.querySelector('.opblock:not(.is-open)');
  const open = globalThis.appeared(
    () =>
      operation.querySelector('.samples') !== null && operation.querySelector('.responses-table') !== null,
  );
  const begin = performance.now();
  operation.querySelector('.opblock-summary-control').click();
  return (await open) - begin;
}

/** Filters by a tag with five operations, as by typing its name at once; undefined where there is no such tag. */
export async function timeFilter(tag) {
  const input = document.querySelector('input[type=search]');
  if (document.querySelector(`[data-tag="${tag}"]`) === null) return undefined;
  const filtered = globalThis.appeared(() => {
    const tags = document.querySelectorAll('.opblock-tag-section');
    return tags.length === 1 && tags[0].querySelectorAll('.opblock').length === 5;
  });
  const begin = performance.now();
  // React listens to the value that is set on the element, not to that of its own.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, tag);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return (await filtered) - begin;
}
