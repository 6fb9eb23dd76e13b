import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { Express, Request } from 'express';
import { UNREAD_PARAMETERS } from './exchange/exchange';

/** Gives Express's requests and responses the members that its router would set on each of them. */
export function completePrototypes({ request, response }: Express): void {
  const locals = Symbol('locals');
  Object.defineProperties(request, {
    // Read by the lifecycle, strictly, before any handler looks at it; middleware comes first.
    query: {
      get(this: Request) {
        const { parameters } = this.exchange;
        return parameters === UNREAD_PARAMETERS ? parse(this.url.split('?')[1] ?? '') : parameters;
      },
    },
    baseUrl: { value: '', writable: true },
    originalUrl: replaceable('originalUrl', (message: Request) => message.url),
    res: replaceable('res', (message: Request) => message.exchange.response),
  });
  Object.defineProperties(response, {
    locals: {
      get(this: { [locals]?: object }) {
        return (this[locals] ??= { __proto__: null } as never);
      },
      set(this: { [locals]?: object }, value: object) {
        this[locals] = value;
      },
    },
  });
}

/** Describes a member that is computed until it is set, as by Express's router where there is middleware. */
function replaceable(name: string, compute: (message: Request) => unknown): PropertyDescriptor {
  return {
    get(this: Request) {
      return compute(this);
    },
    set(this: Request, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
    },
  };
}

/** Node's messages with Express's prototypes, for `createServer`. */
export function messageClasses({
  request,
  response,
}: Express): Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Message extends IncomingMessage> extends ServerResponse<Message> {}
  Object.setPrototypeOf(ExpressRequest.prototype, request);
  Object.setPrototypeOf(ExpressResponse.prototype, response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
