import { SearchesOfPeople } from './searches-of-people';

describe('The searches of a person', () => {
  it('run one at a time, and only the newest of those that wait', async () => {
    const searches = new SearchesOfPeople();
    const begun: string[] = [];
    const { promise: ending, resolve: end } = Promise.withResolvers<void>();
    const search = (person: string, text: string) =>
      searches.run(person, async () => {
        begun.push(text);
        await ending;
        return text;
      });
    const outcomes = Promise.all([
      search('kim', 'l'),
      search('kim', 'lu'),
      search('kim', 'lun'),
      search('ann', 'rex'),
    ]);
    await Promise.resolve();
    expect(begun).toEqual(['l', 'rex']);
    end();
    expect(await outcomes).toEqual(['l', undefined, 'lun', 'rex']);
    expect(begun).toEqual(['l', 'rex', 'lun']);
  });

  it('go on after one that failed', async () => {
    const searches = new SearchesOfPeople();
    const failing = searches.run('kim', () => Promise.reject(new Error('away')));
    const next = searches.run('kim', () => Promise.resolve('found'));
    await expect(failing).rejects.toThrow('away');
    expect(await next).toBe('found');
  });
});
