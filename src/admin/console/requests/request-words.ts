import type { Outcome } from '../../../platform/request-log/outcome';
import { OUTCOME_LABELS } from '../../requests/request-filters';
import { requestTarget } from '../../requests/request-target';
import type { RequestView } from '../../requests/requests.service';
import { milliseconds } from '../ui/number-text';
import type { Tone } from '../ui/text';

/** Colour of each outcome of a request. */
const OUTCOME_TONES: Readonly<Record<Outcome, Tone>> = {
  succeeded: 'success',
  refused: 'warning',
  failed: 'danger',
  aborted: 'neutral',
};

/** Adds the texts that pages show to a request. */
export function withWords(request: RequestView) {
  const { at, durationMs, waitMs, outcome, status } = request;
  return {
    ...request,
    path: `/admin/requests/${request.id}`,
    time: `${at.slice(0, 10)} ${at.slice(11, 19)}`,
    target: requestTarget(request),
    duration: milliseconds(durationMs),
    wait: waitMs ? milliseconds(waitMs) : undefined,
    statusText: status === null ? 'none' : String(status),
    outcomeText: OUTCOME_LABELS[outcome],
    tone: OUTCOME_TONES[outcome],
  };
}
