import type { SettingsDeclaration } from './setting';
import { durationMs, integer } from './setting-kinds';

const ONE_HOUR_MS = 3_600_000;

/** Settings of the connections of clients, on both ports. */
export const CONNECTION_SETTINGS = {
  REQUEST_TIMEOUT_MS: {
    kind: integer(1, ONE_HOUR_MS),
    default: '30000',
    description:
      'How long a client may take to send a whole request, in milliseconds; a third of it for the headers.',
  },
  KEEP_ALIVE_TIMEOUT: {
    kind: durationMs(1),
    default: '75s',
    description:
      'How long a connection without a request stays open, on both ports. Set more than the proxy in front does, or requests fail with 502 now and then: nginx, ingress-nginx and the Application Load Balancer of AWS keep connections for 60 seconds, the Network Load Balancer of AWS for 350, and that of Google Cloud for 600.',
    example: '620s',
  },
  MAX_CONNECTIONS: {
    kind: integer(1, 100_000),
    default: '2000',
    description:
      'How many connections of clients the public port has at once; more are closed as they arrive, so that the others get responses in time, and connections without a request are ended to make room. A balancer in front needs far fewer.',
  },
} as const satisfies SettingsDeclaration;
