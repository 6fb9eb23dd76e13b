/** Declaration of an error class, made once: the filter, the served document and the docs page read it from there. */
export interface ErrorDeclaration {
  /** Stable, lower snake case, machine-readable. */
  readonly code: string;
  /** HTTP status code. */
  readonly status: number;
  /** One sentence for people. Never holds a value the client sent, a library's text or SQL. */
  readonly message: string;
  /** Header fields of every response with this error. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Fault of one field. */
export interface FieldFault {
  readonly field: string;
  /** One sentence. */
  readonly message: string;
  /** What the message says of the field, for people who know it by a label: `is required`. Unset if its subject is another. */
  readonly predicate?: string | undefined;
}

/** The body of every error response: exactly these three members. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/**
 * An error that is a response: to a client of the interface, to a browser as a page of the console, or to the operator at the
 * command line as an exit code. Each subclass owns one code and one status; make one with {@link defineError}.
 */
export abstract class AppError extends Error {
  abstract readonly code: string;
  abstract readonly status: number;
  abstract readonly headers: Readonly<Record<string, string>>;
  /** Faults by field, if the error is about fields. */
  declare readonly faults?: readonly FieldFault[];

  constructor(message: string, options: Pick<ErrorOccurrence, 'cause' | 'faults'> = {}) {
    // A refusal is no fault of the service: collecting a stack for each costs more than the rest of the response.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = limit;
    if (options.faults) this.faults = options.faults;
  }

  /** Returns the body of the response. */
  toBody(): ErrorBody {
    return { code: this.code, message: this.message, status: this.status };
  }
}

/** Particulars of one occurrence of an error. */
export interface ErrorOccurrence {
  /** Replaces the declared sentence, for instance to name the parameter. */
  readonly message?: string;
  /** Header fields of this response, added to the declared ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cause of the error; goes to the log, never to the client. */
  readonly cause?: unknown;
  /** Faults by field. */
  readonly faults?: readonly FieldFault[];
}

/** An error of one code. A class that extends the result of {@link defineError} inherits these members. */
interface DefinedError extends AppError {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The class of one error code, as {@link defineError} makes it. */
export interface AppErrorClass {
  /** @param occurrence a text is the message */
  new (occurrence?: string | ErrorOccurrence): DefinedError;
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

    constructor(occurrence: string | ErrorOccurrence = {}) {
      const {
        message = declaration.message,
        headers,
        cause,
        faults,
      } = typeof occurrence === 'string' ? { message: occurrence } : occurrence;
      super(message, { cause, faults });
      this.headers = { ...declaration.headers, ...headers };
    }
  };
}
