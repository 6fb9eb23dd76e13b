import { isIPv4 } from 'node:net';
import { UsageError } from '../command-error';

/**
 * Returns the web origin of a console from the text that a person writes: its address, or that of one of its pages.
 *
 * @throws UsageError when the text is not such an address, or the session could be overheard there
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
