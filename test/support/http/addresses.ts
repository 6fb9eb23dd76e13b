import { crc32 } from 'node:zlib';

/** Addresses whose CRC-32 ends in the same 16 bits as that of the given one, which is the first. */
export function addressesLike(address: string, count: number): string[] {
  const alike = [address];
  for (let number = 0; alike.length < count; number++) {
    const candidate = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    if ((crc32(candidate) ^ crc32(address)) % 65_536 === 0) alike.push(candidate);
  }
  return alike;
}
