import { byteSize } from './byte-size';

const MIB = 1_048_576;

describe('A size in bytes', () => {
  it('is shown in the largest unit that it fills, with one decimal place below a hundred', () => {
    expect([0, 1_023, 1_536, 155.06 * MIB, 500 * MIB, 1_536 * MIB, 2 ** 60].map(byteSize)).toEqual([
      '0 bytes',
      '1023 bytes',
      '1.5 KiB',
      '155 MiB',
      '500 MiB',
      '1.5 GiB',
      '1024 PiB',
    ]);
  });
});
