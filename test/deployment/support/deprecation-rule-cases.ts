import type { RuleCase } from './rule-case';
import { counter, DAY, HOUR, JOB } from './rule-series';

/** What stands for 5 June 2030 here. */
const MONTH = 30 * DAY;

/** Uses all day for so many days, and none for a day thereafter. */
const usesFor = (days: number) => ({
  [`petstore_deprecated_operation_uses_total{${JOB},operation="getPet"}`]: counter(
    [
      [days * DAY, 1],
      [DAY, 0],
    ],
    10,
  ),
});

/** The alert that calls half a year ahead of the end of an operation. */
export const DEPRECATION_RULE_CASES: readonly RuleCase[] = [
  {
    alert: 'PetstoreDeprecatedOperationUsed',
    when: 'half a year ahead of its end',
    series: usesFor(31),
    at: MONTH + 2 * HOUR,
    step: 10,
    fires: true,
  },
  {
    alert: 'PetstoreDeprecatedOperationUsed',
    when: 'before that',
    series: usesFor(31),
    at: MONTH - 10,
    step: 10,
    fires: false,
  },
  {
    alert: 'PetstoreDeprecatedOperationUsed',
    when: 'not used any more',
    series: usesFor(30),
    at: MONTH + DAY + 10,
    step: 10,
    fires: false,
  },
];
