/** The message of every request's line. */
export const REQUEST_MESSAGE = 'request';

/** A request's line, besides what every line has. Members that are not known are left out. */
export interface RequestLine {
  readonly requestId: string;
  /** Of the trace it belongs to. */
  readonly traceId?: string | undefined;
  /** Of its own span, when traces are recorded. */
  readonly spanId?: string | undefined;
  readonly method?: string;
  /** Path template, `/v1/pets/{petId}`; unset when none matched. Never the path: a client may put its key there. */
  readonly route?: string | undefined;
  /** Unset when there was no response. */
  readonly status?: number | undefined;
  /** The code of the error in the response. */
  readonly code?: string | undefined;
  /** From when it came to the last byte handed to the system, or to the loss of the connection. */
  readonly durationMs?: number;
  /** For how long of that it waited before the service began with it, where that was a millisecond at least. */
  readonly waitMs?: number | undefined;
  /** Statements on the database, where there were any. */
  readonly statements?: number | undefined;
  /** Their durations added up; they may overlap. */
  readonly statementsMs?: number | undefined;
  /** Id of the API key, never the key. */
  readonly keyId?: string | undefined;
  /** Id of the record that the request has made. */
  readonly createdId?: string | undefined;
  /** The client went away before it had the whole response. */
  readonly aborted?: true | undefined;
}
