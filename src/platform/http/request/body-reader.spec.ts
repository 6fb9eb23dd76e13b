import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { runInNewContext } from 'node:vm';
import { LONGEST_WAIT_MS } from '../../../../test/support/until';
import { UnsupportedMediaTypeError } from '../../errors/http-errors';
import { receiveBody } from './body-reader';

describe('A Content-Type', () => {
  it('is refused without trying each way to read its parameters', () => {
    const request = new IncomingMessage(new Socket());
    request.method = 'POST';
    request.headers = { 'content-length': '2', 'content-type': `application/json${'; '.repeat(60)}x` };
    const receive = () => void receiveBody(request, new ServerResponse(request), ['application/json']);
    // Such a search would last for years, and only this ends one.
    const judge = () => runInNewContext('receive()', { receive }, { timeout: LONGEST_WAIT_MS });
    expect(judge).toThrow(UnsupportedMediaTypeError);
  });
});
