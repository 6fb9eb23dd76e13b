/** The message of every request's line. */
export const REQUEST_MESSAGE = 'request';

/** Members of a request's line besides those of every line. Unknown members are left out. */
export interface RequestLine {
  readonly requestId: string;
  /** Id of the trace that the request belongs to. */
  readonly traceId?: string | undefined;
  /** Id of the request's own span, when traces are recorded. */
  readonly spanId?: string | undefined;
  readonly method?: string;
  /** Path template, `/v1/pets/{petId}`; unset when no route matched. Never the path: a client may put its key there. */
  readonly route?: string | undefined;
  /** Status of the response; unset without one. */
  readonly status?: number | undefined;
  /** Code of the error in the response. */
  readonly code?: string | undefined;
  /** Milliseconds from the arrival to the last byte handed to the system, or to the loss of the connection. */
  readonly durationMs?: number;
  /** Milliseconds that the request waited before the service began with it, part of `durationMs`; unset below one. */
  readonly waitMs?: number | undefined;
  /** Statements on the database; unset without any. */
  readonly statements?: number | undefined;
  /** Sum of their durations, in milliseconds; they may overlap. */
  readonly statementsMs?: number | undefined;
  /** Id of the API key, never the key. */
  readonly keyId?: string | undefined;
  /** Id of the record that the request has created. */
  readonly createdId?: string | undefined;
  /** True when the client went away before it had the whole response. */
  readonly aborted?: true | undefined;
}
