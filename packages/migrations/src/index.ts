export type { Effect, Engine } from './effect';
export { describeFinding, type Finding, judgeMigrations } from './judge';
export { type Rule, RULES } from './rules';
