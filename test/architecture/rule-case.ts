import type { Rule } from './import-rules';

/** A rule, files that keep it although they come close, and files that break it with what is said of each. */
export interface RuleCase {
  readonly rule: Rule;
  readonly keeps: Readonly<Record<string, string>>;
  readonly breaks: Readonly<Record<string, string>>;
  readonly violations: readonly string[];
}
