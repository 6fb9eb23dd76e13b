/** The version of the interface, which the path of every operation begins with that does not opt out. */
export const API_VERSION = '1';

/** The version segment, in which every base address ends. */
export const BASE_PATH = `/v${API_VERSION}`;

/** The path of an operation under the base address: `/pets/:petId` of `/v1/pets/:petId`. */
export function pathUnderBase({ path }: { readonly path: string }): string {
  return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : path;
}

/** A path template as OpenAPI writes it: `/pets/{petId}` of `/pets/:petId`. */
export function openapiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
