import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { actingAs } from '../../../platform/security/actor';
import { clientAddress } from '../../../platform/security/client-address';
import { ComposedResponse } from '../../../platform/http/response/composed-response';
import { requestIdOf } from '../../../platform/tracing/request-id';
import { ConsoleRenderer } from './console-renderer';
import { type Notice, ConsolePage, SeeOther } from '../../../platform/features/console-page';
import { PAGE_HEADERS } from '../http/page-headers';
import { Sessions } from '../sessions/sessions.service';
import type { ConsoleRequest } from '../http/console-request';

/** The notice on the page that shows a form again. */
const STORED_NOTICE: Notice = {
  tone: 'warning',
  text: 'This is the form as you sent it. The form was not carried out: check the form, and send it again.',
};

/** Runs a handler as the operator who is signed in, and turns the page it returns into a response. */
@Injectable()
export class ConsoleInterceptor implements NestInterceptor {
  constructor(
    private readonly renderer: ConsoleRenderer,
    private readonly sessions: Sessions,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const consoleRequest = request.consoleRequest as ConsoleRequest;
    const work = () =>
      next.handle().pipe(mergeMap((result) => from(this.respond(result, consoleRequest, request))));
    if (!consoleRequest.isSignedIn) return work();
    const { operator, session } = consoleRequest;
    const actor = {
      name: operator.actor,
      personName: session.personName ?? undefined,
      requestId: requestIdOf(request),
      address: clientAddress(request),
    };
    // Nest binds the handler to the async context of this call.
    return actingAs(actor, work);
  }

  private async respond(result: unknown, consoleRequest: ConsoleRequest, request: Request): Promise<unknown> {
    if (result instanceof ConsolePage) {
      const { form, status = form?.status ?? 200, headers } = result.content;
      const body = this.renderer.page(result, {
        request: consoleRequest,
        requestId: requestIdOf(request),
        notice: await this.noticeFor(consoleRequest),
      });
      return new ComposedResponse(status, { ...PAGE_HEADERS, ...headers }, body);
    }
    if (result instanceof SeeOther) {
      const { path, notice, headers } = result;
      if (notice) await this.sessions.storeNotice(consoleRequest.session.id, JSON.stringify(notice));
      return new ComposedResponse(303, { ...PAGE_HEADERS, ...headers, Location: path });
    }
    return result;
  }

  private async noticeFor(consoleRequest: ConsoleRequest): Promise<Notice | undefined> {
    if (consoleRequest.storedForm) return STORED_NOTICE;
    if (!consoleRequest.isSignedIn || consoleRequest.isBackground) return undefined;
    const notice = await this.sessions.takeNotice(consoleRequest.session);
    return notice === undefined ? undefined : (JSON.parse(notice) as Notice);
  }
}
