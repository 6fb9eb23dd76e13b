import { checkLimit } from './open-files.check';

describe("The doctor's check of open files", () => {
  it.each([
    [4_095, 'degraded'],
    [4_096, 'ok'],
    ['unlimited', 'ok'],
  ])('finds a limit of %s to be: %s', (limit, status) => {
    expect(checkLimit(limit)).toMatchObject({ status, reason: expect.stringContaining(String(limit)) });
  });
});
