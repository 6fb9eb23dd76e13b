import type { AuditEntry } from './audit-trail.service';

/** The version of the Open Cybersecurity Schema Framework of the exported events. */
const OCSF_VERSION = '1.3.0';

const CLASS = { id: 6003, name: 'API Activity' } as const;

/** Kinds of change, as that class numbers them. */
const ACTIVITIES = {
  create: { id: 1, name: 'Create' },
  update: { id: 3, name: 'Update' },
  delete: { id: 4, name: 'Delete' },
} as const;

/**
 * Converts an entry to an event of the class API Activity (6003) of the category Application Activity (6).
 *
 * @param version the version of the service
 */
export function ocsfEvent(entry: AuditEntry, version: string): object {
  const { id, at, actor, actorName, action, subjectType, subjectId, before, after, requestId, address } =
    entry;
  const activity = activityOf(entry);
  const isRefused = action.endsWith('_refused');
  return {
    category_uid: 6,
    category_name: 'Application Activity',
    class_uid: CLASS.id,
    class_name: CLASS.name,
    activity_id: activity.id,
    activity_name: activity.name,
    type_uid: CLASS.id * 100 + activity.id,
    type_name: `${CLASS.name}: ${activity.name}`,
    time: Date.parse(at),
    severity_id: isRefused ? 2 : 1,
    severity: isRefused ? 'Low' : 'Informational',
    status_id: isRefused ? 2 : 1,
    status: isRefused ? 'Failure' : 'Success',
    metadata: {
      version: OCSF_VERSION,
      product: { name: 'petstore', vendor_name: 'petstore', version },
      uid: String(id),
      event_code: action,
      log_name: 'audit',
      original_time: at,
    },
    actor: { user: { uid: actor, name: actorName ?? actor } },
    api: {
      operation: action,
      service: { name: 'petstore' },
      ...(requestId !== null && { request: { uid: requestId } }),
    },
    // The class requires an endpoint; a change without an address was made on the service's own machine.
    src_endpoint: address === null ? { hostname: 'localhost' } : { ip: address },
    resources: [{ type: subjectType, uid: subjectId }],
    unmapped: { before, after },
  };
}

function activityOf({ action, before, after }: AuditEntry): { readonly id: number; readonly name: string } {
  if (before && after) return ACTIVITIES.update;
  if (before) return ACTIVITIES.delete;
  // The class has no number for an action that neither creates nor changes anything; the name says what it is.
  return after ? ACTIVITIES.create : { id: 99, name: action };
}
