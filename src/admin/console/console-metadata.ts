/** The names under which the decorators of the console store what its guard reads. */
export const SCOPES_METADATA = 'petstore:console-scopes';
export const OPEN_METADATA = 'petstore:console-open';
