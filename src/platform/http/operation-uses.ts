/** Counts the uses of deprecated operations per API key. The Auth module keeps them. */
export abstract class OperationUses {
  /** Never waits and never throws: it runs on the request path. */
  abstract count(keyId: string, operationId: string): void;
}
