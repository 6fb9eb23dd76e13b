import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { NotFoundError } from '../errors/http-errors';

/**
 * The console, as its pages meet it wherever they are. It is looked up, not injected: modules need not import it, and start
 * without it.
 */
export abstract class ConsoleDoor {
  /** Lets a request of a browser in. @throws AppError if the person may not see the page or send the form */
  abstract admit(context: ExecutionContext): Promise<true>;
  /** Runs the handler as the person who is signed in, and turns the page it returns into a response. */
  abstract respond(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown>;
}

/** Asks the console who may use a route. */
@Injectable()
export class ConsoleDoorGuard implements CanActivate {
  constructor(private readonly moduleRef: ModuleRef) {}

  /** @throws NotFoundError without the console; AppError as {@link ConsoleDoor.admit} does */
  canActivate(context: ExecutionContext): Promise<true> {
    return doorIn(this.moduleRef).admit(context);
  }
}

/** Makes the console respond. */
@Injectable()
export class ConsoleDoorInterceptor implements NestInterceptor {
  constructor(private readonly moduleRef: ModuleRef) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return doorIn(this.moduleRef).respond(context, next);
  }
}

/** @throws NotFoundError without the console */
function doorIn(moduleRef: ModuleRef): ConsoleDoor {
  try {
    return moduleRef.get(ConsoleDoor, { strict: false });
  } catch {
    throw new NotFoundError();
  }
}
