import { Injectable } from '@nestjs/common';
import { clientAddress } from '../../security/client-address';
import { parseDecimalInt64 } from '../../values/int64';
import { requestIdOf } from '../../tracing/request-id';
import { RequestLog } from '../../request-log/request-log';
import type { Exchange } from '../exchange/exchange';
import type { RecordChange } from '../operations/record-change';

/** Notes which records requests have changed, for the history of each. */
@Injectable()
export class ChangedRecords {
  constructor(private readonly log: RequestLog) {}

  /**
   * Notes the change of a request, once its work is done: it does not matter whether its client still waits for the response.
   *
   * @param location the path of a created record
   */
  note(
    { request, principal, operation }: Exchange,
    { kind, verb, parameter }: RecordChange,
    location?: string | null,
  ): void {
    if (!this.log.keepsChanges) return;
    const text = parameter === undefined ? location?.split('/').at(-1) : request.params[parameter];
    const recordId = typeof text === 'string' ? parseDecimalInt64(text) : undefined;
    if (recordId === undefined || !operation) return;
    this.log.addChange({
      kind,
      recordId,
      verb,
      operation: operation.id,
      keyId: principal?.keyId ?? null,
      requestId: requestIdOf(request),
      address: clientAddress(request) || null,
    });
  }
}
