import { browserName } from './browser-name';

describe('The name of a browser', () => {
  it.each([
    [
      'Chrome 156 on Linux',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    ],
    [
      'Edge 150 on Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
    ],
    [
      'Firefox 148 on macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:148.0) Gecko/20100101 Firefox/148.0',
    ],
    [
      'Safari 26 on iOS',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    ],
    [
      'Chrome 156 on Android',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
    ],
    ['curl/8.14.1', 'curl/8.14.1'],
    ['Unknown browser', ''],
  ])('is read from its User-Agent field: %s', (name, userAgent) => {
    expect(browserName(userAgent)).toBe(name);
  });
});
