import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { connectionAddress } from '../../security/client-address';
import { requestIdOf } from '../../tracing/request-id';
import type { ResponseObserver } from '../observers/response-observer';
import type { AppError } from '../../errors/app-error';
import { hasEnded } from '../exchange/end-together';
import { errorMessage, sendError } from '../exchange/error-response';
import {
  BadRequestError,
  ExpectationFailedError,
  HeadersTooLargeError,
  RequestTimeoutError,
} from '../../errors/http-errors';
import { discardInput, isClosing, lingeringClose } from '../exchange/lingering-close';
import type { PipelinedRequests } from './pipelined-requests';

const lastResponse = Symbol('lastResponse');

interface WireSocket extends Socket {
  /** The response to the newest request of the connection. */
  [lastResponse]?: ServerResponse;
}

/** Error of `clientError`, with members that Node's parser and timers add. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/**
 * Gives every fault that Node responds to by itself, and so past every exception filter, the service's error response:
 * malformed HTTP, too large headers, a late request, an unmet expectation, CONNECT. Create the server with `serverOptions` and
 * refuse any fault of {@link wireFault} at the front of the request listener.
 *
 * @param refuseConnect makes the response to a CONNECT in good form
 * @param observer is told of every response
 * @param pipelined defers requests of a connection, which does not make them late
 */
export function attachWireErrors(
  server: Server,
  refuseConnect: () => AppError,
  observer: ResponseObserver,
  pipelined?: PipelinedRequests,
): void {
  // Node's default stops at 1,000 fields, well under the 16 kB that maxHeaderSize allows.
  server.maxHeadersCount = 0;
  // Without this Node ends its side as soon as the client ends its own, and a response under way is lost.
  Object.assign(server, { httpAllowHalfOpen: true });
  const remember = (request: IncomingMessage, response: ServerResponse) => {
    const socket: WireSocket = request.socket;
    const previous = socket[lastResponse];
    socket[lastResponse] = response;
    observer.begin(request, response, previous);
  };
  const refuse = (socket: WireSocket, error: AppError, requestId: string, withBody: boolean) => {
    const address = connectionAddress(socket);
    writeRaw(socket, error, requestId, withBody);
    observer.refuse(error, requestId, address);
  };
  server.prependListener('request', remember);
  server.on('clientError', (error: ClientError, stream: Duplex) => {
    const socket = stream as WireSocket;
    const respond = () => onClientError(error, socket, refuse);
    const isExcused = error.code === TIMEOUT && pipelined?.excuses(socket, stillArriving(socket, respond));
    if (!isExcused) respond();
  });
  server.on('connect', (request: IncomingMessage, stream: Duplex) => {
    onConnect(request, stream, refuseConnect, refuse);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    judgeExpectation(server, request, response, remember);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitingContinue.add(request);
    judgeExpectation(server, request, response, remember);
  });
}

/**
 * Returns the fault of a request that Node's parser lets pass, if it has one. To be called before anything else is read of the
 * request. RFC 9112: section 3.2 (Host), 6.1 and 6.3 (Transfer-Encoding), 2.3 (version); RFC 9110, section 10.1.1 (Expect).
 */
export function wireFault(request: IncomingMessage): AppError | undefined {
  if (isClosing(request.socket)) {
    return new BadRequestError();
  }
  const fields = request.rawHeaders;
  let hosts = 0;
  let host = '';
  let codings = 0;
  let coding = '';
  // Scanning rawHeaders costs a tenth of headersDistinct or less, and headers hides a repeated Host.
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1;
      host = fields[i + 1] as string;
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      codings += 1;
      coding = fields[i + 1] as string;
    }
  }
  if (hosts > 1 || (hosts === 1 && !HOST.test(host))) {
    return new BadRequestError();
  }
  if (request.httpVersionMajor === 1 && request.httpVersionMinor === 1) {
    return hosts === 0 || codings > 1 || (codings === 1 && coding.toLowerCase() !== 'chunked')
      ? new BadRequestError()
      : undefined;
  }
  if (request.httpVersionMajor !== 1 || request.httpVersionMinor !== 0 || codings > 0) {
    return new BadRequestError();
  }
  return expectationFault(request);
}

/**
 * Writes `100 Continue` when the client waits for it; to be called by the body reader before it waits for the body. Until then
 * nothing is written, so a request that is refused by its header fields never sends its body.
 */
export function allowContinue(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request) && !response.headersSent) {
    response.writeContinue();
  }
}

/** Node's code for a request that has not arrived in time. */
const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const awaitingContinue = new WeakSet<IncomingMessage>();

/** uri-host [":" port] of RFC 3986; empty is refused, because an http URI has a host (RFC 9110, section 4.2.1). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\dA-Fa-f:.]+\])(?::\d{0,5})?$/;

/** authority-form of RFC 9112, section 3.2.3. */
const AUTHORITY = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\dA-Fa-f:.]+\]):(\d{1,5})$/;

/** The response to the newest request of a connection, finished or not; undefined before the first request. */
export function newestResponse(socket: WireSocket): ServerResponse | undefined {
  return socket[lastResponse];
}

/** Notes a request and the response to it. */
type Remember = (request: IncomingMessage, response: ServerResponse) => void;

/** Responds where there is no response object, and says so. */
type Refuse = (socket: WireSocket, error: AppError, requestId: string, withBody: boolean) => void;

function judgeExpectation(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
  remember: Remember,
): void {
  const fault = expectationFault(request);
  if (fault === undefined) {
    server.emit('request', request, response);
    return;
  }
  remember(request, response);
  sendError(request, response, wireFault(request) ?? fault);
}

function expectationFault(request: IncomingMessage): AppError | undefined {
  const expectations = request.headers.expect?.split(',') ?? [];
  return expectations.every((one) => /^\s*(?:100-continue)?\s*$/i.test(one))
    ? undefined
    : new ExpectationFailedError();
}

function onConnect(
  request: IncomingMessage,
  stream: Duplex,
  refuseConnect: () => AppError,
  refuse: Refuse,
): void {
  const socket = stream as WireSocket;
  // Node has taken its own listener away: without one, a reset by the client would end the process.
  socket.on('error', () => socket.destroy());
  const fault = wireFault(request) ?? expectationFault(request) ?? connectFault(request) ?? refuseConnect();
  afterEarlierResponses(socket, () => refuse(socket, fault, requestIdOf(request), true));
}

function connectFault(request: IncomingMessage): AppError | undefined {
  const port = Number(AUTHORITY.exec(request.url ?? '')?.[1] ?? 0);
  return port >= 1 && port <= 65_535 ? undefined : new BadRequestError();
}

/** Does something unless the request that is arriving now has arrived by then. */
function stillArriving(socket: WireSocket, action: () => void): () => void {
  const newest = socket[lastResponse];
  const isItsBody = newest?.req.complete === false;
  return () => {
    if (socket[lastResponse] === newest && !(isItsBody && newest.req.complete)) action();
  };
}

function onClientError(error: ClientError, socket: WireSocket, refuse: Refuse): void {
  const fault = faultOf(error);
  if (fault === undefined) {
    socket.destroy();
    return;
  }
  // The parser cannot go on and would report the same fault for every later packet.
  discardInput(socket);
  const last = socket[lastResponse];
  if (last !== undefined && !last.req.complete) {
    failBody(socket, last, fault);
  } else {
    afterEarlierResponses(socket, () => refuse(socket, fault, randomUUID(), !isHead(error)));
  }
}

function faultOf(error: ClientError): AppError | undefined {
  switch (error.code) {
    case TIMEOUT:
      return new RequestTimeoutError();
    case 'HPE_HEADER_OVERFLOW':
      return new HeadersTooLargeError();
    default:
      return error.code?.startsWith('HPE_') ? new BadRequestError() : undefined;
  }
}

/** The fault is in the body of the newest request, whose header fields have reached the listener. */
function failBody(socket: WireSocket, response: ServerResponse, fault: AppError): void {
  const request = response.req;
  if (response.writableFinished) {
    lingeringClose(socket);
  } else if (hasEnded(response)) {
    response.once('finish', () => lingeringClose(socket));
  } else {
    sendError(request, response, fault);
  }
  // A reader of the body would wait for ever otherwise: the parser will not report its end.
  socket.once('close', () => request.destroy(new Error('The body did not arrive.', { cause: fault })));
}

/** Runs the action when the responses to the requests before the faulty one are complete. */
function afterEarlierResponses(socket: WireSocket, action: () => void): void {
  const last = socket[lastResponse];
  if (last === undefined || last.writableFinished) {
    action();
  } else {
    last.once('finish', action);
  }
}

function writeRaw(socket: WireSocket, error: AppError, requestId: string, withBody: boolean): void {
  // Not writable: the client is gone, or the response before was the last of the connection.
  if (socket.writable) {
    socket.write(errorMessage(error, requestId, withBody));
    lingeringClose(socket);
  }
}

/** Tells whether the message that the parser gave up on is a HEAD, as far as the last packet shows it. */
function isHead({ rawPacket, bytesParsed }: ClientError): boolean {
  const parsed = rawPacket?.toString('latin1', 0, bytesParsed) ?? '';
  const previous = parsed.lastIndexOf('\r\n\r\n');
  return parsed.startsWith('HEAD ', previous < 0 ? 0 : previous + 4);
}
