import { addSample } from '../../support/samples/samples';
import { isList, resolveSchema, targetOf } from '../../support/service/served-document';
import { line, watchStatements } from '../../support/service/statements';
import { goodRequest } from './good-request';
import { ask } from './request';
import type { TriedOperation } from './tried-operation';

/** Rows of the short list and of the long one. */
const FEW = 2;
const MANY = 20;

/** Whether an operation lists what can be added, page by page or all at once. */
export function listsRows({ document, operation }: Omit<TriedOperation, 'service'>): boolean {
  if (isList(operation)) return true;
  const schema = operation.responses['200']?.content?.['application/json']?.schema;
  const isArray = schema !== undefined && resolveSchema(schema, document).type === 'array';
  return isArray && operation.method === 'GET' && document.paths[operation.path]?.['post'] !== undefined;
}

/**
 * Compares the statements that a list of a few rows runs with those of one of many. What the long one runs more often is run for
 * each row, most often by a loop.
 *
 * @returns what is repeated, with the place that asks for it; nothing where all is well
 */
export async function findStatementsPerRow(tried: TriedOperation): Promise<string[]> {
  const { service, document, operation } = tried;
  const { values } = await goodRequest(service, document, operation);
  const addUpTo = async (rows: number, from: number) => {
    for (let row = from; row < rows; row++) await addSample(service, operation.collection, values);
  };
  const list = async (limit: number) => {
    const target = targetOf(operation.path, values) + (isList(operation) ? `?limit=${limit}` : '');
    const { result, statements } = await watchStatements(service, () => ask(service, { target }));
    const { length } = JSON.parse(result.body) as unknown[];
    expect({ target, status: result.status, isLongEnough: length >= limit || !isList(operation) }).toEqual({
      target,
      status: 200,
      isLongEnough: true,
    });
    return statements;
  };
  await addUpTo(FEW, 0);
  const few = new Map((await list(FEW)).map(({ text, count }) => [text, count]));
  await addUpTo(MANY, FEW);
  const repeated = (await list(MANY)).filter(({ text, count }) => count > Math.max(1, few.get(text) ?? 0));
  return repeated.map((statement) => `${operation.operationId} runs for each row: ${line(statement)}`);
}
