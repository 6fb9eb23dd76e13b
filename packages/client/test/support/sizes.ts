/**
 * How much the tests of the client do. By default they take some seconds. These environment variables change that; in brackets
 * what the full form is run with:
 *
 * - `CLIENT_INTEGERS`: how many random integers go there and back (100000)
 * - `CLIENT_CUTS`: how many connections are cut (1000)
 */
export const SIZES = { integers: size('CLIENT_INTEGERS', 300), cuts: size('CLIENT_CUTS', 60) };

function size(variable: string, usual: number): number {
  const given = process.env[variable];
  if (given !== undefined && !/^[1-9]\d*$/.test(given)) throw new Error(`${variable} is no positive number.`);
  return Number(given ?? usual);
}
