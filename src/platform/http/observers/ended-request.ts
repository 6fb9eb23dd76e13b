import type { Request, Response } from 'express';
import type { Outcome } from '../../request-log/outcome';
import type { EndedRequest, RequestLog } from '../../request-log/request-log';
import { clientAddress } from '../../security/client-address';
import { idsOf } from '../../tracing/request-context';
import { roundedMs } from '../../tracing/timeline';

/** A request whose response has been closed, as the request log keeps it. */
export function endedRequest(
  request: Request,
  response: Response,
  { outcome, durationMs }: { readonly outcome: Outcome; readonly durationMs: number },
  log: Pick<RequestLog, 'keepsTimeline'>,
): EndedRequest {
  const { operation, principal, error, timeline, waitMs } = request.exchange;
  const status = response.headersSent ? response.statusCode : undefined;
  const { requestId, traceId = null } = idsOf(request);
  return {
    requestId,
    traceId,
    keyId: principal?.keyId ?? null,
    method: request.method,
    route: operation?.template ?? null,
    status: status ?? null,
    outcome,
    code: error?.code ?? null,
    message: error?.message ?? null,
    durationMs: roundedMs(durationMs),
    waitMs: roundedMs(waitMs),
    timeline:
      timeline && log.keepsTimeline(outcome, durationMs)
        ? JSON.stringify(timeline.view(durationMs, waitMs))
        : null,
    address: clientAddress(request) || null,
  };
}
