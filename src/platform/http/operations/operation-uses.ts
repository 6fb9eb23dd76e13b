/** Counts the uses of the public interface's operations per API key. The Auth module keeps them. */
export abstract class OperationUses {
  /** Never waits and never throws: it runs in the lifecycle of a request. */
  abstract count(keyId: string, operationId: string): void;
}
