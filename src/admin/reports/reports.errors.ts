/** What is asked for cannot be planned; the message is for the operator. */
export class UnfitPlan extends Error {
  /** @param field which part of the plan */
  constructor(
    readonly field: 'first' | 'last' | 'at' | 'every' | 'lengths' | 'value',
    message: string,
  ) {
    super(message);
  }
}

/** No operation of this name is deprecated. */
export class NotDeprecated extends Error {
  constructor(operation: string, deprecated: readonly string[]) {
    super(
      `There is no deprecated operation ${operation}; ${deprecated.length === 0 ? 'none is deprecated' : `those are ${deprecated.join(', ')}`}.`,
    );
  }
}

/** No operation has this name, nor had when it was last used. */
export class UnknownOperation extends Error {
  constructor(operation: string) {
    super(`There is no operation ${operation}.`);
  }
}
