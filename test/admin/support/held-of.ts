import { HeldService } from '../../../src/admin/records/erasure/held.service';
import type { Subject } from '../../../src/platform/audit/subject';
import type { TestService } from '../../support/service/service';

/** Returns all that a service holds of a subject, as a script reads it. */
export async function heldOf({ app }: TestService, subject: Subject): Promise<Record<string, unknown>> {
  let text = '';
  for await (const part of app.get(HeldService, { strict: false }).json(subject)) text += part;
  return JSON.parse(text) as Record<string, unknown>;
}
