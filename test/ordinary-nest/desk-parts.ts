import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  HttpException,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { map, type Observable } from 'rxjs';

/** What handlers, guards and interceptors were asked, and whether guards are open. */
export const desk = { calls: 0, guarded: 0, seen: [] as unknown[], isOpen: true, isRefused: false };

@Injectable()
export class DeskGuard implements CanActivate {
  canActivate(): boolean {
    desk.guarded++;
    return desk.isOpen;
  }
}

@Injectable()
export class DeskInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    desk.guarded++;
    return next.handle().pipe(
      map((result: unknown) => {
        desk.seen.push(result);
        return result;
      }),
    );
  }
}

@Injectable()
export class DeskPipe implements PipeTransform {
  transform(value: unknown): unknown {
    desk.guarded++;
    return value;
  }
}

@Catch(HttpException)
export class DeskFilter implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).end();
  }
}

export function deskMiddleware(_request: Request, _response: Response, next: NextFunction): void {
  next();
}
