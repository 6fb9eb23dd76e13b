import type { CallHandler, CanActivate, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { RequestAuthenticator } from '../../security/request-authenticator';
import { currentTimeline } from '../../tracing/request-context';
import type { Timeline } from '../../tracing/timeline';

/**
 * Makes a guard or an interceptor of Nest report to the timeline of a request when it runs; returns anything else unchanged.
 */
export function nameOwnPhases(made: unknown): unknown {
  if (isGuard(made) && !(made instanceof RequestAuthenticator)) nameGuard(made);
  if (isInterceptor(made)) nameInterceptor(made);
  return made;
}

function isGuard(made: unknown): made is CanActivate {
  return typeof (made as Partial<CanActivate> | undefined)?.canActivate === 'function';
}

function isInterceptor(made: unknown): made is NestInterceptor {
  return typeof (made as Partial<NestInterceptor> | undefined)?.intercept === 'function';
}

function nameGuard(guard: CanActivate): void {
  const canActivate = guard.canActivate.bind(guard);
  guard.canActivate = (context: ExecutionContext) => {
    const timeline = begun('guard', guard);
    const result = canActivate(context);
    if (result instanceof Promise) return result.finally(() => timeline?.leaveOwn());
    timeline?.leaveOwn();
    return result;
  };
}

/** Makes the interceptor a phase of its own. Its work after the handler has returned counts as the handler. */
function nameInterceptor(interceptor: NestInterceptor): void {
  const intercept = interceptor.intercept.bind(interceptor);
  interceptor.intercept = (context: ExecutionContext, next: CallHandler) => {
    const timeline = begun('interceptor', interceptor);
    const handle = () => {
      timeline?.leaveOwn();
      return next.handle();
    };
    return intercept(context, { handle });
  };
}

function begun(kind: string, { constructor }: object): Timeline | undefined {
  const timeline = currentTimeline();
  timeline?.enterOwn(`${kind} ${constructor.name}`);
  return timeline;
}
