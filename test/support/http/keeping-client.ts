import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { ServiceProcess } from '../processes/service-process';

export interface StoredResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A client that keeps its one connection, and with it the process that the connection landed on. */
export class KeepingClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly service: ServiceProcess,
    private readonly key: string,
  ) {}

  get(path: string): Promise<StoredResponse> {
    return this.ask('GET', path);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<StoredResponse> {
    return this.ask('POST', path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  close(): void {
    this.agent.destroy();
  }

  private ask(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<StoredResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<StoredResponse>();
    const options = {
      method,
      agent: this.agent,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
    };
    const asked = request(`${this.service.url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    asked.on('error', reject);
    asked.end(body);
    return promise;
  }
}
