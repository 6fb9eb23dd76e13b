import { ValidateBy, type ValidationError } from 'class-validator';
import { FIELD_RULE } from './dto-members';

/** Words of a rule about a value that breaks it. */
export interface RuleFault {
  /** Position of the fault in the value: `[1]`; empty for the value as a whole. */
  readonly place?: string;
  /** Predicate, without a full stop: `must be true or false`. */
  readonly predicate: string;
  /** The same in plainer words for people, unless it is the same. */
  readonly plainPredicate?: string | undefined;
}

/** Context of a rule in the errors of class-validator. */
interface RuleContext {
  readonly faultOf: (value: unknown) => RuleFault;
}

/**
 * Validates a member by a rule of the service, whose message is the name of the member and the fault.
 *
 * @param faultOf returns the fault of an invalid value
 */
export function fieldRule(
  isValid: (value: unknown) => boolean,
  faultOf: (value: unknown) => RuleFault,
): PropertyDecorator {
  return ValidateBy(
    {
      name: FIELD_RULE,
      validator: {
        validate: isValid,
        defaultMessage: (context) => {
          const { place = '', predicate } = faultOf(context?.value);
          return `${context?.property}${place} ${predicate}.`;
        },
      },
    },
    { context: { faultOf } satisfies RuleContext },
  );
}

/** Returns the fault of a member as a rule of the service says it; undefined of a rule of others. */
export function ruleFaultOf({ contexts, value }: ValidationError): RuleFault | undefined {
  return (contexts?.[FIELD_RULE] as RuleContext | undefined)?.faultOf(value);
}
