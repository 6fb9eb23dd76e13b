'use strict';

const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

const CONTRACT = path.join(__dirname, '..');
const DOCUMENT = path.join(CONTRACT, '..', '..', 'docs', 'openapi.json');

/** Codes that are tried with one operation in place of all, with the reason. */
const OF_ANY_OPERATION = {
  internal_error: 'a fault is made in the database, which no operation knows of',
};

/** Fails a run of all contract tests in which an operation has not sent an error as the document has it. */
module.exports = class UnsentErrorsReporter {
  constructor({ testNamePattern }) {
    this.isNarrowed = Boolean(testNamePattern);
    this.unsent = [];
  }

  onRunComplete(_contexts, { testResults }) {
    const run = new Set(testResults.map(({ testFilePath }) => testFilePath));
    const specs = readdirSync(CONTRACT).filter((name) => name.endsWith('.spec.ts'));
    if (this.isNarrowed || !specs.every((name) => run.has(path.join(CONTRACT, name)))) return;
    const errors = sentErrors();
    const sent = new Set(
      errors.map(({ operation = '', code, message }) => `${operation} ${code}: ${message}`),
    );
    this.unsent = declaredErrors().filter(
      // What is refused before its operation is known could be for any.
      ([operation, code, message]) =>
        !sent.has(`${operation} ${code}: ${message}`) &&
        !sent.has(` ${code}: ${message}`) &&
        !(code in OF_ANY_OPERATION && errors.some((error) => error.message === message)),
    );
  }

  /** Jest asks for the error after the run, which fails then, and shows it to nobody. */
  getLastError() {
    if (this.unsent.length === 0) return undefined;
    const errors = this.unsent.map((error) => error.join(' ')).join('\n');
    const message = `No contract test has met these errors, which docs/openapi.json declares:\n${errors}`;
    process.stderr.write(`\n${message}\n`);
    return new Error(message);
  }
};

/** Errors that the services of all test files have sent, as `sent-errors.ts` notes them. */
function sentErrors() {
  const file = path.join(process.env.TEST_FOLDER ?? '', 'sent-errors.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Operations with the code and the message of each example of an error. */
function declaredErrors() {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return operations.flatMap(({ operationId, responses = {} }) =>
    Object.values(responses).flatMap(({ content }) => {
      const { example, examples = {} } = content?.['application/json'] ?? {};
      const bodies = [example, ...Object.values(examples).map(({ value }) => value)];
      return bodies
        .filter((body) => body?.code && body.status)
        .map(({ code, message }) => [operationId, code, message]);
    }),
  );
}
