/**
 * How much the fault tests do. By default all of them together take about two minutes on two idle cores. These
 * environment variables change that; in brackets what the full form is run with:
 *
 * - `FAULT_KILLS`: how often the service is killed under load, for each engine (100)
 * - `FAULT_CARRIER_KILLS`: how often it is killed while its handlers ask another service, twice for each engine (50)
 * - `FAULT_EVENT_KILLS`: how often a process that handles stored events is killed, for each engine (200)
 * - `FAULT_READER_KILLS`: how often a reader of the audit log is killed, for each engine (200)
 * - `FAULT_OUTAGES`: how often PostgreSQL is killed under load (20)
 * - `FAULT_CUTS`: how often every connection to PostgreSQL is cut under load (1000)
 * - `FAULT_CONNECTIONS`: how many connections are idle at once; a tenth as many send their headers slowly (10000)
 * - `FAULT_REFUSED_KEYS`: how many different unknown keys come (10000)
 *
 * The tests need Linux: they look into `/proc`, and fill disks with the help of `prlimit` and `unshare` (util-linux).
 */
export const SIZES = {
  kills: size('FAULT_KILLS', 10),
  carrierKills: size('FAULT_CARRIER_KILLS', 3),
  eventKills: size('FAULT_EVENT_KILLS', 5),
  readerKills: size('FAULT_READER_KILLS', 10),
  outages: size('FAULT_OUTAGES', 3),
  cuts: size('FAULT_CUTS', 50),
  connections: size('FAULT_CONNECTIONS', 2_000),
  refusedKeys: size('FAULT_REFUSED_KEYS', 3_000),
};

function size(variable: string, usual: number): number {
  const given = process.env[variable];
  if (given !== undefined && !/^[1-9]\d*$/.test(given)) throw new Error(`${variable} is no positive number.`);
  return Number(given ?? usual);
}
