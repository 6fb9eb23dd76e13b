import { startTestService } from '../../test/support/service/service';

/** The level of warnings in the log. */
const WARN = 40;

describe('The start of the service', () => {
  it('warns of a variable that is probably a misspelt setting', async () => {
    const service = await startTestService('sqlite', { RATE_LIMIT_PER_MINUT: '6021' });
    await service.stop();
    const warnings = service
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; misspelt?: object })
      .filter(({ misspelt }) => misspelt);
    expect(warnings).toEqual([
      expect.objectContaining({
        level: WARN,
        misspelt: { name: 'RATE_LIMIT_PER_MINUT', meant: 'RATE_LIMIT_PER_MINUTE' },
      }),
    ]);
    expect(service.log()).not.toContain('6021');
  });
});
