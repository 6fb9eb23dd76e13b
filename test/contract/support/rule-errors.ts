import { type AppErrorClass, type ErrorBody, errorCatalogue } from '../../../src/platform/errors/app-error';
import * as httpErrors from '../../../src/platform/errors/http-errors';
import type { RawResponse } from '../../support/raw-http';
import type { DocumentedResponse, ServedOperation } from '../../support/served-document';

const PLATFORM_CODES: ReadonlySet<string> = new Set(
  Object.values<AppErrorClass>(httpErrors).map(({ declaration }) => declaration.code),
);

/** The error codes a response is documented with. */
export function codesOf({ content }: DocumentedResponse): string[] {
  const { example, examples = {} } = content?.['application/json'] ?? {};
  const { code } = (example ?? {}) as { code?: string };
  return code === undefined ? Object.keys(examples) : [code];
}

/** Whether a response is that of a module's own rules alone: only the module's tests know what leads there. */
export function isOfRules(status: string, response: DocumentedResponse): boolean {
  const codes = codesOf(response);
  const own = errorCatalogue().filter((error) => String(error.status) === status && isOfModule(error.code));
  return codes.length > 0 && codes.every((code) => own.some((error) => error.code === code));
}

/** Whether a request that fits the schemas was refused by a documented rule of the module. */
export function isRefusedByRule({ status, body }: RawResponse, { responses }: ServedOperation): boolean {
  if (status < 400) return false;
  const { code } = JSON.parse(body) as ErrorBody;
  return isOfModule(code) && codesOf(responses[status] ?? {}).includes(code);
}

function isOfModule(code: string): boolean {
  return !PLATFORM_CODES.has(code);
}
