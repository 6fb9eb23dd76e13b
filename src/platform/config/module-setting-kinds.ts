import { boolean, durationMs, host, integer, list, matching, oneOf } from './setting-kinds';
import { endpointUrl } from './url-kinds';

/** Kinds of values for the settings of a module: what each accepts, in words and in code. */
export const settingKinds = {
  boolean,
  durationMs,
  endpointUrl,
  host,
  integer,
  list,
  matching,
  oneOf,
} as const;
