import type { ModuleSamples } from '../../support/samples/module-samples';

export const samples: ModuleSamples = {
  collections: {
    '/pets/{petId}/dental-checks': {
      // No two have the same certificate, and the next dental check is due after the day of this one.
      members: (n) => ({
        certificate: `DE-${String(n).padStart(4, '0')}`,
        givenOn: '2026-01-31',
        dueOn: '2027-01-31',
      }),
    },
  },
  operations: {
    createDentalCheck: {
      errors: {
        certificate_taken: async ({ request, send }) => {
          await send(request);
          return request;
        },
      },
    },
  },
};
