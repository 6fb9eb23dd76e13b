import { currentContext } from '../../tracing/request-context';
import { exchangeOf } from '../exchange/exchange';
import { documentOnce } from './once';

type Handler = (...parameters: unknown[]) => Promise<unknown>;

/**
 * Gives all of a handler's work to `once`; `@Once() once: Once` says so in the handler. Deprecated: it goes with the next major
 * version, and `npm run generate -- update` replaces it.
 */
export function Idempotent(): MethodDecorator {
  return (target, property, descriptor: PropertyDescriptor) => {
    const work = descriptor.value as Handler;
    const handler: Handler = function (this: unknown, ...parameters) {
      const request = currentContext()?.request;
      const attempt = request && exchangeOf(request)?.attempt;
      return attempt ? attempt.once(() => work.apply(this, parameters)) : work.apply(this, parameters);
    };
    // Swagger looks up what is known of a handler by its name, Nest by what the decorators below have said of it.
    Object.defineProperty(handler, 'name', { value: work.name });
    for (const key of Reflect.getMetadataKeys(work)) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, work), handler);
    }
    descriptor.value = handler;
    documentOnce(target, property, descriptor);
  };
}
