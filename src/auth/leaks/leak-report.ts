import { InvalidBodyError } from '../../platform/errors/http-errors';
import { readJson } from '../../platform/values/json-reader';

/** One token that was found, as GitHub's secret scanning reports it. */
export interface ReportedToken {
  readonly token: string;
  readonly type: string;
  /** Where it was found; may be empty. */
  readonly url: string;
  /** What it was found in, as `content` or `commit`. */
  readonly source: string;
}

/** What became of a reported token: a key of this service, or not. */
export interface TokenFeedback {
  /** SHA-256, in lower-case hexadecimal. */
  readonly token_hash: string;
  readonly token_type: string;
  readonly label: 'true_positive' | 'false_positive';
}

/**
 * Reads the body of a report.
 *
 * @throws InvalidJsonError, or InvalidBodyError when it is no report
 */
export function readLeakReport(body: Buffer): ReportedToken[] {
  const entries = readJson(body);
  if (!Array.isArray(entries)) throw notAReport();
  return entries.map((entry: unknown) => {
    const { token, type, url = '', source = 'unknown' } = (entry ?? {}) as Record<string, unknown>;
    if (!isText(token) || !isText(type) || !isText(url) || !isText(source)) throw notAReport();
    return { token, type, url, source };
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function notAReport() {
  return new InvalidBodyError(
    'The body must be a JSON array of objects with the texts token, type, url and source.',
  );
}
