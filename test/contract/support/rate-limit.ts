import type { RawResponse } from '../../support/http/raw-http';
import { field } from './request';

/** What a response says about a limit. */
export interface ToldLimit {
  readonly policy: string;
  readonly quota: number;
  readonly remaining: number;
  /** Seconds to the end of the window. */
  readonly seconds: number;
}

/** One item of the lists of draft-ietf-httpapi-ratelimit-headers-10, a String of RFC 9651 with Integers as parameters. */
const POLICY = /^"([a-z][a-z0-9-]*)";q=([1-9]\d{0,14});w=60$/;
const LIMIT = /^"([a-z][a-z0-9-]*)";r=(0|[1-9]\d{0,14});t=([1-9]\d?)$/;

/** Reads both header fields, strictly; undefined when the response has neither. */
export function toldLimit(response: RawResponse): ToldLimit | undefined {
  const fields = [field(response, 'ratelimit-policy'), field(response, 'ratelimit')];
  if (fields.every((value) => value === undefined)) return undefined;
  const [, policy = '', quota] = POLICY.exec(fields[0] ?? '') ?? [];
  const [, name, remaining, seconds] = LIMIT.exec(fields[1] ?? '') ?? [];
  expect({ fields, name, policy }).toEqual({ fields, name: expect.stringMatching(/./), policy: name });
  const told = { policy, quota: Number(quota), remaining: Number(remaining), seconds: Number(seconds) };
  expect(told.remaining).toBeLessThanOrEqual(told.quota);
  expect(told.seconds).toBeLessThanOrEqual(60);
  return told;
}
