/** A part of a page that is made on its own: if it fails, the others are shown all the same. */
export type Section<T> =
  { readonly value: T; readonly fault?: undefined } | { readonly fault: string; readonly value?: undefined };

/** Text of a section that could not be made. */
const FAULT = 'This part could not be read; see the log of the service.';

/**
 * Makes a section.
 *
 * @param onFault called with the error
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
