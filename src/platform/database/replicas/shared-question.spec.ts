import { SharedQuestion } from './shared-question';

/** A question whose askings the test answers itself, one after another. */
function heldQuestion() {
  const askings: PromiseWithResolvers<number>[] = [];
  const question = new SharedQuestion(() => {
    const asking = Promise.withResolvers<number>();
    askings.push(asking);
    return asking.promise;
  });
  return { askings, question };
}

describe('SharedQuestion', () => {
  it('never answers a caller with a question that was under way before the call', async () => {
    const { askings, question } = heldQuestion();
    const first = question.ask();
    const late = [question.ask(), question.ask()];
    expect(askings).toHaveLength(1);
    askings[0]?.resolve(1);
    expect(await first).toBe(1);
    expect(askings).toHaveLength(2);
    const later = question.ask();
    askings[1]?.resolve(2);
    expect(await Promise.all(late)).toEqual([2, 2]);
    askings[2]?.resolve(3);
    expect(await later).toBe(3);
  });

  it('has at most one question under way', async () => {
    let underWay = 0;
    let most = 0;
    const question = new SharedQuestion(async () => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
    });
    const ask = async (): Promise<void> => {
      for (let time = 0; time < 20; time++) {
        await question.ask();
        for (let turn = 0; turn < time % 4; turn++) await Promise.resolve();
      }
    };
    await Promise.all([ask(), ask(), ask(), ask()]);
    expect(most).toBe(1);
  });

  it('asks again after a failure, which only its own callers see', async () => {
    const { askings, question } = heldQuestion();
    const first = question.ask();
    const late = question.ask();
    askings[0]?.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    askings[1]?.resolve(2);
    expect(await late).toBe(2);
    void question.ask();
    expect(askings).toHaveLength(3);
  });
});
