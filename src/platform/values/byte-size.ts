const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Writes a size in bytes for people: `512 bytes`, `1.5 GiB`. */
export function byteSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const amount = bytes / 1_024 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10} ${UNITS[power]}`;
}
