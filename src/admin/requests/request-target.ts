import type { RequestView } from './requests.service';

/** The method and route of a request in words: `GET /pets/{petId}`, `GET unknown path`. */
export function requestTarget({ method, route }: Pick<RequestView, 'method' | 'route'>): string {
  return [method, route ?? (method ? 'unknown path' : 'malformed request')].filter(Boolean).join(' ');
}
