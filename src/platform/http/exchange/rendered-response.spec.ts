import { NotFoundError } from '../../errors/http-errors';
import { RenderedResponse } from './rendered-response';

describe('A rendered response', () => {
  it('tells the code of the error it is, which the line of a replayed refusal has too', () => {
    const { status, body } = RenderedResponse.ofError(new NotFoundError());
    expect(new RenderedResponse(status, body, null, true).error?.code).toBe('not_found');
  });

  it('has no such code when it is none', () => {
    expect(new RenderedResponse(201, '{"id":1,"code":"x"}', '/v1/pets/1').error).toBeUndefined();
  });
});
