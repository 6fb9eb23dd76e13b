import { CliProcess } from '../../cli/support/cli-process';
import { doctor, freePorts } from './support/doctor';
import { RedisServer } from '../../support/databases/redis-server';

describe('petstore doctor with a Redis', () => {
  it('says whether Redis accepts writes, and never shows its password', async () => {
    const redis = await RedisServer.run();
    const cli = new CliProcess({ ...(await freePorts()), REDIS_URL: redis.url });
    const there = await doctor(cli);
    expect(there.say('redis')).toMatch(/^ok Redis \d+\.\S+ at 127\.0\.0\.1:\d+ accepts writes\.$/);

    redis.signal('SIGSTOP');
    const hanging = await doctor(cli);
    redis.signal('SIGCONT');
    expect([hanging.code, hanging.say('redis')]).toEqual([
      1,
      expect.stringMatching(/^fail Redis at .* does not accept writes/),
    ]);

    const { password } = new URL(redis.url);
    const wrong = await doctor(cli.with({ REDIS_URL: redis.url.replace(password, 'guessed') }));
    expect(wrong.say('redis')).toMatch(/^fail Redis at .*WRONGPASS/);
    await redis.kill();
    const outputs = there.stdout + hanging.stdout + wrong.stdout;
    expect(
      [password, decodeURIComponent(password), 'guessed'].filter((each) => outputs.includes(each)),
    ).toEqual([]);
  });
});
