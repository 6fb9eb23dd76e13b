import { body, type Fault, PARAMETER } from './support/faults';
import { ask, creation } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

const FIELD: Fault = { of: 'field', status: 400, code: 'invalid_field', apply: body('{"name":"Rex"}') };

/** That each fault comes before all later ones is tried for every operation: "reports of several faults the first". */
describe('The order in which a request is judged', () => {
  const service = useService('sqlite');

  it('has parameters before the fields of a body', async () => {
    const request = FIELD.apply(creation(''));
    await expectRefused(service(), { ...FIELD, request });
    await expectRefused(service(), { ...PARAMETER, request: PARAMETER.apply(request) });
  });

  it('never reads the body of a request without a valid key', async () => {
    const headers = { 'Content-Length': '50', Expect: '100-continue' };
    expect(await ask(service(), creation('', { key: null, headers }))).toMatchObject({ status: 401 });
  });

  it('lets no refused request make a pet', async () => {
    expect(await ask(service(), {})).toMatchObject({ status: 200, body: '[]' });
  });
});
