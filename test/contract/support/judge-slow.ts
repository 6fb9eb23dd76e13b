import { RequestLog } from '../../../src/platform/request-log/request-log';
import type { TestService } from '../../support/service/service';

/** Decides which requests of a service are slow, whatever time they take. */
export function judgeSlow({ app }: TestService, isSlow: () => boolean): void {
  jest
    .spyOn(app.get(RequestLog), 'isNotable')
    .mockImplementation((outcome) => outcome === 'failed' || isSlow());
}
