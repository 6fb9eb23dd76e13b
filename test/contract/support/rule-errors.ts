import type { AppErrorClass, ErrorBody } from '../../../src/platform/errors/app-error';
import * as httpErrors from '../../../src/platform/errors/http-errors';
import type { RawResponse } from '../../support/http/raw-http';
import type { DocumentedResponse, ServedOperation } from '../../support/service/served-document';

const PLATFORM_CODES: ReadonlySet<string> = new Set(
  Object.values<AppErrorClass>(httpErrors).map(({ declaration }) => declaration.code),
);

/** Errors of the platform that say of a body that the rows that are there do not let it in. */
const ROW_CODES: ReadonlySet<string> = new Set(['duplicate_value']);

/** The error codes a response is documented with. */
export function codesOf({ content }: DocumentedResponse): string[] {
  const { example, examples = {} } = content?.['application/json'] ?? {};
  const { code } = (example ?? {}) as { code?: string };
  return code === undefined ? Object.keys(examples) : [code];
}

/** Whether a request that fits the schemas was refused by a documented rule of the module. */
export function isRefusedByRule({ status, body }: RawResponse, { responses }: ServedOperation): boolean {
  if (status < 400) return false;
  const { code } = JSON.parse(body) as ErrorBody;
  return (isOfModule(code) || ROW_CODES.has(code)) && codesOf(responses[status] ?? {}).includes(code);
}

/** Whether an error is of a module's own rules: without a sample only the module's tests know what leads there. */
export function isOfModule(code: string): boolean {
  return !PLATFORM_CODES.has(code);
}
