/** Under what names the decorators of the console leave word for its guard. */
export const SCOPES_METADATA = 'petstore:console-scopes';
export const OPEN_METADATA = 'petstore:console-open';
