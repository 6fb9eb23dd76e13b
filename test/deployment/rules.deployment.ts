import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { makeFolder } from '../support/folders';
import { kustomize } from './support/kustomize';
import type { RuleCase } from './support/rule-case';
import { RULE_CASES } from './support/rule-cases';
import { PROJECT } from './support/dockerfile';

const FOLDER = join(PROJECT, 'deploy', 'prometheus');

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}

/** The clock of promtool begins in 1970: the day from which an alert looks at deprecated operations is moved there. */
const JUNE_2030 = `${Date.UTC(2030, 5, 5) / 1_000}`;
const A_MONTH = `${30 * 24 * 3_600}`;

const objectives = parse(readFileSync(join(FOLDER, 'objectives.yaml'), 'utf8')) as RuleFile;
const alerts = parse(readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8')) as RuleFile;
const rules = alerts.groups.flatMap((group) => group.rules);

function promtool(...words: string[]): string {
  return execFileSync('promtool', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs the looks at one alert as a unit test of promtool. Throws with what it found. */
function runCases(alert: string, step: number, cases: readonly RuleCase[]): string {
  const folder = makeFolder();
  const rule = rules.find((candidate) => candidate.alert === alert) as Rule;
  // Only what the alert is made of, in one group: promtool runs groups in any order, and a step may be longer than
  // Prometheus looks back.
  const recorded = objectives.groups
    .flatMap((group) => group.rules)
    .filter(({ record = '' }) => rule.expr.includes(record));
  const group = {
    name: alert,
    rules: [...recorded, { ...rule, expr: rule.expr.replace(JUNE_2030, A_MONTH) }],
  };
  writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [group] }));
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: `${step}m`,
    tests: cases.map(({ when, series, at, fires }) => ({
      name: when,
      interval: `${step}m`,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
          eval_time: `${at}m`,
          exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
        },
      ],
    })),
  };
  writeFileSync(join(folder, 'test.yaml'), JSON.stringify(test));
  return promtool('test', 'rules', join(folder, 'test.yaml'));
}

it('Prometheus accepts its configuration and the rules', () => {
  expect(promtool('check', 'config', join(FOLDER, 'prometheus.yaml'))).toContain(
    'SUCCESS: 2 rule files found',
  );
});

describe('Every alert', () => {
  it('is tested when it has to fire and when it must not', () => {
    const looks = (fires: boolean) =>
      new Set(RULE_CASES.filter((look) => look.fires === fires).map((look) => look.alert));
    const names = new Set(rules.map((rule) => rule.alert));
    expect(looks(true)).toEqual(names);
    expect(looks(false)).toEqual(names);
  });

  it.each(rules.map((rule) => [rule.alert ?? '', rule] as const))(
    'says how urgent it is and links to its page: %s',
    (name, rule) => {
      expect(['page', 'ticket']).toContain(rule.labels?.severity);
      expect(rule.annotations).toEqual({
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
        description: expect.stringMatching(/^\S.*\.$/s),
        runbook_url: `docs/alerts/${name}.md`,
      });
    },
  );

  const groups = Map.groupBy(RULE_CASES, ({ alert, step = 1 }) => `${alert} every ${step} minutes`);
  it.each([...groups])('fires and stays silent as its test cases say: %s', (_name, cases) => {
    const [{ alert, step = 1 }] = cases as [RuleCase];
    expect(runCases(alert, step, cases)).toContain('SUCCESS');
  });
});

describe('The unit tests of the rules', () => {
  it('fail when an alert is silent or fires against its test case', () => {
    const look = RULE_CASES.find(({ alert }) => alert === 'PetstoreNotReady') as RuleCase;
    expect(() => runCases(look.alert, 1, [{ ...look, fires: !look.fires }])).toThrow('FAILED');
  });
});

describe('The thresholds in the rules', () => {
  it('warn of memory before Kubernetes ends a pod for it', () => {
    const [, mebibytes] = /> (\d+) \* 1024 \* 1024/.exec(exprOf('PetstoreMemoryHigh')) ?? [];
    const deployment = JSON.stringify(kustomize('service').find(({ kind }) => kind === 'Deployment'));
    const [, limit] = /"limits":\{"memory":"(\d+)Mi"\}/.exec(deployment) ?? [];
    expect(Number(mebibytes)).toBeLessThan(Number(limit));
    expect(Number(mebibytes)).toBeGreaterThan(Number(limit) / 2);
  });
});

function exprOf(alert: string): string {
  return (rules.find((rule) => rule.alert === alert) as Rule).expr;
}
