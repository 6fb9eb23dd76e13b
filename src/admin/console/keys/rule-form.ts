import type { KeyRules } from '../../../auth/dto/key-rules';

/** Texts typed into the fields about rules, by the names of the rules. */
export type RuleForm = Readonly<Record<keyof KeyRules, string>>;

/** Reads the fields about rules. */
export function readRuleForm(form: URLSearchParams): RuleForm {
  return {
    networks: form.get('networks') ?? '',
    limitPerMinute: form.get('limitPerMinute')?.trim() ?? '',
    quotaPerMonth: form.get('quotaPerMonth')?.trim() ?? '',
  };
}

/** Fills the form from the rules of a key. */
export function ruleFormOf({ networks, limitPerMinute, quotaPerMonth }: KeyRules): RuleForm {
  return {
    networks: networks.join('\n'),
    limitPerMinute: String(limitPerMinute ?? ''),
    quotaPerMonth: String(quotaPerMonth ?? ''),
  };
}

/** The rules that a form asks for; the service that changes keys refuses a text that is not a number. */
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
