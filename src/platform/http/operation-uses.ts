/** Counts the uses of the public interface's operations per API key. The Auth module keeps them. */
export abstract class OperationUses {
  /** Never waits and never throws: it runs on the request path. */
  abstract count(keyId: string, operationId: string): void;
}
