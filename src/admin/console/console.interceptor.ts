import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { actingAs } from '../../platform/audit/actor';
import { clientAddress } from '../../platform/security/client-address';
import { ComposedResponse } from '../../platform/http/response/composed-response';
import { requestIdOf } from '../../platform/tracing/request-id';
import { ConsoleRenderer } from './console-renderer';
import { type Notice, Page, SeeOther } from './page';
import { PAGE_HEADERS } from './page-headers';
import { KEPT_NOTICE } from './sessions/kept-form';
import { Sessions } from './sessions/sessions.service';
import type { Visit } from './visit';

/** Runs a handler on the account of who is signed in, and makes a response of the page it returns. */
@Injectable()
export class ConsoleInterceptor implements NestInterceptor {
  constructor(
    private readonly renderer: ConsoleRenderer,
    private readonly sessions: Sessions,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const visit = request.visit as Visit;
    const work = () => next.handle().pipe(mergeMap((result) => from(this.answer(result, visit, request))));
    if (!visit.isSignedIn) return work();
    const actor = { name: visit.key.keyId, requestId: requestIdOf(request), address: clientAddress(request) };
    // Nest binds the handler to the context it is called in here.
    return actingAs(actor, work);
  }

  private async answer(result: unknown, visit: Visit, request: Request): Promise<unknown> {
    if (result instanceof Page) {
      const { status = 200, headers } = result.content;
      const body = this.renderer.page(result, {
        visit,
        requestId: requestIdOf(request),
        notice: await this.noticeFor(visit),
      });
      return new ComposedResponse(status, { ...PAGE_HEADERS, ...headers }, body);
    }
    if (result instanceof SeeOther) {
      const { path, notice, headers } = result;
      if (notice) await this.sessions.leaveNotice(visit.session.id, JSON.stringify(notice));
      return new ComposedResponse(303, { ...PAGE_HEADERS, ...headers, Location: path });
    }
    return result;
  }

  private async noticeFor(visit: Visit): Promise<Notice | undefined> {
    if (visit.keptForm) return KEPT_NOTICE;
    if (!visit.isSignedIn || visit.isBackground) return undefined;
    const notice = await this.sessions.takeNotice(visit.session);
    return notice === undefined ? undefined : (JSON.parse(notice) as Notice);
  }
}
