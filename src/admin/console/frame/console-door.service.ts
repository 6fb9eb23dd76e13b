import { type CallHandler, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { ConsoleDoor } from '../../../platform/features/console-door';
import { ConsoleGuard } from './console.guard';
import { ConsoleInterceptor } from './console.interceptor';

/** The console, as its pages and those of modules meet it. */
@Injectable()
export class ConsoleDoorService extends ConsoleDoor {
  constructor(
    private readonly guard: ConsoleGuard,
    private readonly interceptor: ConsoleInterceptor,
  ) {
    super();
  }

  admit(context: ExecutionContext): Promise<true> {
    return this.guard.canActivate(context);
  }

  respond(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return this.interceptor.intercept(context, next);
  }
}
