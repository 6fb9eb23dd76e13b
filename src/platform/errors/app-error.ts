/** What an error class declares once: the filter, the served document and the docs page read it from there. */
export interface ErrorDeclaration {
  /** Stable, lower snake case, machine-readable. */
  readonly code: string;
  /** HTTP status code. */
  readonly status: number;
  /** One sentence for people. It never holds a value the client sent, a library's text or SQL. */
  readonly message: string;
  /** Header fields every response with this error carries. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body of every error response: exactly these three members. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** An error that is a response. Each subclass owns one code and one status; make one with {@link defineError}. */
export abstract class AppError extends Error {
  abstract readonly code: string;
  abstract readonly status: number;
  abstract readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, options?: ErrorOptions) {
    // A refused request is no fault: collecting a stack for each costs more than the rest of the response.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = limit;
  }

  /** The body that goes over the wire. */
  toBody(): ErrorBody {
    return { code: this.code, message: this.message, status: this.status };
  }
}

/** What may be said about one occurrence of an error. */
export interface ErrorOccurrence {
  /** Replaces the declared sentence, for instance to name the parameter. */
  readonly message?: string;
  /** Header fields of this response, added to the declared ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What caused it; goes to the log, never to the client. */
  readonly cause?: unknown;
}

/** The class of one error code, as {@link defineError} makes it. */
export interface AppErrorClass {
  new (occurrence?: ErrorOccurrence): AppError;
  readonly declaration: ErrorDeclaration;
}

const declarations = new Map<string, ErrorDeclaration>();

/**
 * Makes the class of one error code.
 *
 * @throws Error when the code is already taken: two meanings under one code would reach clients as one.
 */
export function defineError(declaration: ErrorDeclaration): AppErrorClass {
  if (declarations.has(declaration.code)) {
    throw new Error(`The error code ${declaration.code} is defined twice.`);
  }
  declarations.set(declaration.code, declaration);
  return class extends AppError {
    static readonly declaration = declaration;
    readonly code = declaration.code;
    readonly status = declaration.status;
    readonly headers: Readonly<Record<string, string>>;

    constructor(occurrence: ErrorOccurrence = {}) {
      super(occurrence.message ?? declaration.message, { cause: occurrence.cause });
      this.headers = { ...declaration.headers, ...occurrence.headers };
    }
  };
}

/** Every error declared so far, by status and code: the catalogue the docs show. */
export function errorCatalogue(): ErrorDeclaration[] {
  return [...declarations.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}
