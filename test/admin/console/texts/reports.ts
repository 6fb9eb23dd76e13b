import { AuditTrailService } from '../../../../src/admin/audit/audit-trail.service';
import { ReadOnlyMode } from '../../../../src/platform/read-only/read-only-mode';
import type { Said, Visit } from './visit';

const open =
  (path: string) =>
  ({ client }: Visit) =>
    client.get(path);

/** What the overview, the reports, the audit log and the pages of the system say. */
export const REPORTS: readonly Said[] = [
  [
    'a list without a record',
    open('/admin/records/pets'),
    [
      'No pets yet Add the first one here, or import a file here or with the command “npm run -s petstore -- pets import”.',
    ],
  ],
  [
    'the overview of a new service',
    open('/admin/overview'),
    [
      'All is well',
      'No requests in the last 6 hours',
      'Lost This part could not be read; see the log of the service.',
    ],
  ],
  [
    'the search without a result',
    open('/admin/find?q=nothing+like+it'),
    [
      'Nothing was found for “nothing like it”. Type the beginning of a name, the whole of an id, or a word of a question.',
    ],
  ],
  [
    'the log of requests',
    open('/admin/requests'),
    [
      'Requests of the last 7 days: all that were refused, failed, aborted or slow, and a sample of the other requests.',
    ],
  ],
  [
    'the use of operations without a call',
    open('/admin/reports/usage?key=key_none'),
    ['No calls No calls match these filters. Calls appear a minute after they were made.'],
  ],
  [
    'the deprecations without a call',
    open('/admin/reports'),
    ['No client has called the operation Its removal breaks no client.'],
  ],
  [
    'the jobs of a service without any',
    open('/admin/jobs'),
    ['No jobs No module of this service has a job or a handler of stored events.'],
  ],
  ['the migrations', open('/admin/system/migrations'), ['All … migrations are applied.']],
  ['the audit log with a wrong day', open('/admin/audit?from=yesterday'), ['Write a day as 2026-01-31.']],
  [
    'the audit log with a wrong subject',
    open('/admin/audit?subject=/1'),
    ['Write the subject as pets or pets/17.'],
  ],
  [
    'the audit log without a change',
    open('/admin/audit?action=nothing'),
    ['No changes found No change matches all of these filters.'],
  ],
  [
    'a search in the audit log that has ended before its end',
    async ({ client, service }) => {
      const trail = service.app.get(AuditTrailService, { strict: false });
      const lookedBackTo = { id: 2n, at: new Date('2026-01-31T10:00:00.000Z') };
      jest.spyOn(trail, 'searchBriefly').mockResolvedValueOnce({ items: [], lookedBackTo });
      return client.get('/admin/audit?action=nothing');
    },
    ['These are the changes since 2026-01-31 10:00:00 UTC. Continue for older ones.'],
  ],
  [
    'the erasure of nobody',
    open('/admin/audit/erase?subject=pets%2F999999'),
    ['There is no data about pets/999999.'],
  ],
  [
    'the erasure of a subject that is none',
    open('/admin/audit/erase?subject=pets'),
    ['Write the subject as orders/17 or keys/key_0123456789abcdef.'],
  ],
  [
    'the question before an erasure',
    async (visit) => visit.client.get(`/admin/audit/erase?subject=pets%2F${await visit.pet()}`),
    [
      'The audit log loses names, addresses and personal fields of this subject for good.',
      'An erasure cannot be undone.',
    ],
  ],
  [
    'a form while the service is read-only',
    async (visit) => {
      const path = '/admin/records/pets/new';
      const page = await visit.client.get(path);
      const mode = visit.service.app.get(ReadOnlyMode);
      const reason = jest.spyOn(mode, 'sentence', 'get').mockReturnValue('The service is read-only.');
      const refused = await visit.sendFrom(page, path, { name: 'Rex', categoryId: '1' });
      reason.mockRestore();
      return refused;
    },
    ['The service is read-only. Until that ends, nothing is changed.'],
  ],
];
