import type { Outcome } from '../../../platform/request-log/outcome';
import type { RequestView } from '../../requests/requests.service';
import { milliseconds } from '../ui/number-text';
import type { Tone } from '../ui/text';

/** Text and colour of each outcome of a request. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, { readonly label: string; readonly tone: Tone }>> = {
  succeeded: { label: 'Succeeded', tone: 'success' },
  refused: { label: 'Refused (4xx)', tone: 'warning' },
  failed: { label: 'Failed (5xx)', tone: 'danger' },
  aborted: { label: 'Aborted by the client', tone: 'neutral' },
};

/** Adds the texts that pages show to a request. */
export function withWords(request: RequestView) {
  const { at, method, route, durationMs, waitMs, outcome, status } = request;
  return {
    ...request,
    path: `/admin/requests/${request.id}`,
    time: `${at.slice(0, 10)} ${at.slice(11, 19)}`,
    target: [method, route ?? (method ? 'unknown path' : 'malformed request')].filter(Boolean).join(' '),
    duration: milliseconds(durationMs),
    wait: waitMs ? milliseconds(waitMs) : undefined,
    statusText: status === null ? 'none' : String(status),
    outcomeText: OUTCOME_WORDS[outcome].label,
    tone: OUTCOME_WORDS[outcome].tone,
  };
}
