import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'express';
import type { Exchange } from '../../../src/platform/http/exchange/exchange';
import type * as documentedErrors from '../../../src/platform/openapi/documented-errors';

/** Channel on which Node tells of each response that it has written, of all servers in the process. */
const WRITTEN = 'http.server.response.finish';

/** Errors that the services of this test file have sent, by operation and code. */
const sent = new Map<string, Exchange>();

function note(message: unknown): void {
  const { exchange } = (message as { readonly request: Partial<Request> }).request;
  const { listener, operation, error } = exchange ?? {};
  if (exchange && error && listener === 'public' && operation?.isDocumented !== false) {
    sent.set([operation?.id, error.code, error.message].join(' '), exchange);
  }
}

/** Jest runs this file ahead of every test file; other suites serve operations that no document has. */
function isOfContract(): boolean {
  return expect.getState().testPath?.startsWith(join(__dirname, '..')) ?? false;
}

beforeAll(() => {
  if (isOfContract()) subscribe(WRITTEN, note);
});

afterAll(() => {
  unsubscribe(WRITTEN, note);
  if (sent.size === 0) return;
  const { errorsOf, ERRORS_OF_ANY_REQUEST } = jest.requireActual<typeof documentedErrors>(
    '../../../src/platform/openapi/documented-errors',
  );
  const undeclared: string[] = [];
  for (const { operation, error } of sent.values()) {
    const { code = '', message } = error ?? {};
    const declared = operation ? errorsOf(operation).flatMap(({ errors }) => errors) : ERRORS_OF_ANY_REQUEST;
    if (!declared.some(({ declaration }) => declaration.code === code)) {
      undeclared.push(`${operation?.id ?? 'no operation'}: ${code}`);
    }
    const line = JSON.stringify({ operation: operation?.id, code, message });
    appendFileSync(join(process.env.TEST_FOLDER ?? '', 'sent-errors.jsonl'), `${line}\n`);
  }
  expect(undeclared).toEqual([]);
});
