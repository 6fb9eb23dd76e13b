import type { KeyRules } from '../../../auth/dto/key-rules';

/** What was typed into the fields about rules, under the names of the rules. */
export type RuleForm = Readonly<Record<keyof KeyRules, string>>;

/** Takes what was typed into the fields about rules. */
export function readRuleForm(form: URLSearchParams): RuleForm {
  return {
    networks: form.get('networks') ?? '',
    limitPerMinute: form.get('limitPerMinute')?.trim() ?? '',
    quotaPerMonth: form.get('quotaPerMonth')?.trim() ?? '',
  };
}

/** The rules of a key as its form shows them. */
export function ruleFormOf({ networks, limitPerMinute, quotaPerMonth }: KeyRules): RuleForm {
  return {
    networks: networks.join('\n'),
    limitPerMinute: String(limitPerMinute ?? ''),
    quotaPerMonth: String(quotaPerMonth ?? ''),
  };
}

/** The rules that a form asks for; a number that is none is refused where keys are changed. */
export function rulesOfForm({ networks, limitPerMinute, quotaPerMonth }: RuleForm): KeyRules {
  return {
    networks: networks.split(/[\s,]+/).filter(Boolean),
    limitPerMinute: numberOf(limitPerMinute),
    quotaPerMonth: numberOf(quotaPerMonth),
  };
}

function numberOf(text: string): number | null {
  if (text === '') return null;
  return /^\d{1,12}$/.test(text) ? Number(text) : NaN;
}
