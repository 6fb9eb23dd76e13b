import { NotFoundError } from '../../errors/http-errors';
import { RenderedResponse } from './rendered-response';

describe('A rendered response', () => {
  it('has the code of its error, for the log line of a replayed refusal', () => {
    const { status, body } = RenderedResponse.ofError(new NotFoundError());
    expect(new RenderedResponse(status, body, null, true).error?.code).toBe('not_found');
  });

  it('has no code when it is not an error', () => {
    expect(new RenderedResponse(201, '{"id":1,"code":"x"}', '/v1/pets/1').error).toBeUndefined();
  });
});
