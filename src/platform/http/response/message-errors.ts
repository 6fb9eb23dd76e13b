import type { ArgumentsHost } from '@nestjs/common';
import { throwError } from 'rxjs';
import type { AppError } from '../../errors/app-error';

/** A client of socket.io, or of ws, which is told by its state. */
interface GatewayClient {
  readonly readyState?: number;
  emit(event: string, data: unknown): void;
  send(text: string): void;
}

/** Responds with an error to what came in another way than HTTP; returns what Nest's filters return there. */
export function respondToMessage(host: ArgumentsHost, error: AppError): unknown {
  const body = error.toBody();
  switch (host.getType<'ws' | 'rpc' | 'graphql'>()) {
    case 'ws': {
      const client = host.switchToWs().getClient<GatewayClient>();
      if (client.readyState === undefined) client.emit('exception', body);
      else client.send(JSON.stringify({ event: 'exception', data: body }));
      return undefined;
    }
    case 'graphql':
      return Object.assign(new Error(body.message), { extensions: { code: body.code, status: body.status } });
    default:
      return throwError(() => body);
  }
}
