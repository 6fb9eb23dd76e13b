import { isIPv4 } from 'node:net';
import { UsageError } from '../command-error';

/**
 * The web origin of a console from what a person writes for it: its address, or that of one of its pages.
 *
 * @throws UsageError for what is no such address, or one at which the session could be overheard
 */
export function readServer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('Write the address of the console as https://console.example.com.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(
      `${url.origin} is not encrypted: reach it by https, or through a tunnel to localhost.`,
    );
  }
  return url.origin;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}
