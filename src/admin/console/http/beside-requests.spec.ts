import { besideRequests } from './beside-requests';

async function* partsAtOnce(count: number): AsyncGenerator<number> {
  for (let part = 0; part < count; part++) yield await Promise.resolve(part);
}

it('The parts of a long download leave the event loop to others after each of them', async () => {
  let turns = 0;
  let isOver = false;
  const others = () => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const seen: number[] = [];
  for await (const part of besideRequests(partsAtOnce(5))) {
    expect(part).toBe(seen.length);
    seen.push(turns);
  }
  isOver = true;
  expect(seen).toHaveLength(5);
  expect(seen.every((turn, part) => part === 0 || turn > (seen[part - 1] as number))).toBe(true);
});
