/**
 * Sizes of the tests of the client. By default the tests take some seconds. These environment variables change the sizes; the
 * values of the full run are in brackets:
 *
 * - `CLIENT_INTEGERS`: number of random integers sent there and back (100000)
 * - `CLIENT_CUTS`: number of connections that are cut (1000)
 */
export const SIZES = { integers: size('CLIENT_INTEGERS', 300), cuts: size('CLIENT_CUTS', 60) };

function size(variable: string, usual: number): number {
  const given = process.env[variable];
  if (given !== undefined && !/^[1-9]\d*$/.test(given)) throw new Error(`${variable} is no positive number.`);
  return Number(given ?? usual);
}
