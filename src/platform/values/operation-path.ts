/** Version of the interface, at the beginning of the path of every operation that does not opt out. */
export const API_VERSION = '1';

/** The version segment, at the end of every base address. */
export const BASE_PATH = `/v${API_VERSION}`;

/** Returns the path of an operation under the base address: `/pets/:petId` for `/v1/pets/:petId`. */
export function pathUnderBase({ path }: { readonly path: string }): string {
  return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : path;
}

/** Returns a path template as OpenAPI writes it: `/pets/{petId}` for `/pets/:petId`. */
export function openapiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
