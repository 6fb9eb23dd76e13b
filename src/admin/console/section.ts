/** A part of a page that is made for itself: when it cannot be, the others are shown all the same. */
export type Section<T> =
  { readonly value: T; readonly fault?: undefined } | { readonly fault: string; readonly value?: undefined };

/** What a section says that could not be made. */
const FAULT = 'This could not be read just now; the log of the service tells why.';

/**
 * Makes a section.
 *
 * @param onFault called with what went wrong
 */
export async function section<T>(
  work: () => Promise<T> | T,
  onFault: (error: unknown) => void,
): Promise<Section<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    onFault(error);
    return { fault: FAULT };
  }
}
