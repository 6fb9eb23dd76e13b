import type { OpenAPIObject } from '@nestjs/swagger';

/** Members of a path of the document, as far as a list says them; those that are no operations have no id. */
interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
}

/** An operation of the document, with the address under which Swagger UI opens it. */
interface ListedOperation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly isDeprecated: boolean;
  readonly href: string;
}

/** Returns the operations of a document, in its order. */
export function listedOperations(paths: OpenAPIObject['paths']): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, DocumentedOperation>).flatMap(([method, operation]) => {
      const { operationId: id, summary = '', deprecated: isDeprecated = false, tags = [] } = operation;
      if (id === undefined) return [];
      const [tag = 'default'] = tags;
      const href = `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`;
      return [{ id, tag, method, path, summary, isDeprecated, href }];
    }),
  );
}

/** Returns the path that all paths of a document are below, by its first server: `/v1`. */
export function basePath([server]: OpenAPIObject['servers'] = []): string {
  return new URL(server?.url ?? '', 'http://service').pathname.replace(/\/$/, '');
}
