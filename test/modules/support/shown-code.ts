import { makeFolder } from '../../support/folders';
import { type Language, run } from '../../support/samples/sample-programs';
import type { ServiceProcess } from '../../support/processes/service-process';
import { codeBlocksOf } from './guide-blocks';
import type { ProjectCopy } from './project-copy';

/** An operation with the code that Swagger UI shows of it. */
interface Shown {
  readonly operationId: string;
  readonly codes: Readonly<Record<Language, string>>;
}

const ORDER = { petId: 1, quantity: 1 };

/** By how many orders there are more, once each language has run its code. */
const GROWTH: Readonly<Record<string, number>> = { createOrder: 4, deleteOrder: -4 };

/**
 * Runs what Swagger UI shows of the operations of orders, in every language, and what the guide shows of partial updates.
 *
 * @param service one without data, with a key that it has printed
 * @returns how many programs ran
 */
export async function useShownCode(copy: ProjectCopy, service: ServiceProcess): Promise<number> {
  const key = service.printedKey as string;
  // Within the folder of a package, its own name leads to it.
  const client = makeFolder();
  await copy.succeed(
    `tsc -p packages/client --outDir ${client}/dist; cp packages/client/package.json ${client}`,
  );
  const add = async (path: string, body: object) => {
    const response = await service.post(path, key, JSON.stringify(body));
    expect([path, response.status]).toEqual([path, 201]);
    return ((await response.json()) as { id: number }).id;
  };
  const countOrders = async () => {
    const orders = await service.fetch('/v1/orders?limit=100', key);
    return ((await orders.json()) as object[]).length;
  };
  await add('/v1/pets', { name: 'Rex', categoryId: 1 });
  await add('/v1/categories', { name: 'Dogs' });
  await add('/v1/orders', ORDER);

  const shown = JSON.parse(
    await copy.succeed(`node test/modules/support/shown-samples.mjs ${service.url} /orders`),
  ) as Shown[];
  expect(shown.map(({ operationId }) => operationId).sort()).toEqual([
    'createOrder',
    'deleteOrder',
    'getOrder',
    'listOrders',
    'updateOrder',
  ]);
  let programs = 0;
  for (const { operationId, codes } of shown) {
    const languages = Object.entries(codes) as [Language, string][];
    // One that was removed cannot be removed again: each reader has another id.
    const ids = await Promise.all(
      languages.map(async () => (operationId === 'deleteOrder' ? await add('/v1/orders', ORDER) : 1)),
    );
    const before = await countOrders();
    const printed = await Promise.all(
      languages.map(([language, code], index) => {
        const own = code
          .replace('/orders/1', `/orders/${ids[index]}`)
          .replace('Order(1n', `Order(${ids[index]}n`);
        return run(language, own, { key }, client);
      }),
    );
    const grown = (await countOrders()) - before;
    expect([operationId, grown]).toEqual([operationId, GROWTH[operationId] ?? 0]);
    for (const text of printed) if (operationId !== 'deleteOrder') expect(text).toMatch(/quantity["']?: ?\d/);
    programs += languages.length;
  }
  return programs + (await useGuide(service, key));
}

/** Changes the order 1 as the guide shows it. */
async function useGuide(service: ServiceProcess, key: string): Promise<number> {
  const guide = codeBlocksOf(await (await fetch(`${service.url}/docs/guide.md`)).text());
  const patches = guide.filter(({ text }) => text.startsWith('curl -X PATCH '));
  for (const { text } of patches) {
    const code = text
      .replace(/^curl -X PATCH \S+/, `curl -X PATCH ${service.url}/v1/orders/1`)
      .replace('"<member to change>": "<value>"', '"quantity": 7')
      .replace('<member to remove>', 'note');
    expect(await run('curl', code, { key })).toContain('"quantity":7');
  }
  expect(patches).toHaveLength(1);
  return patches.length;
}
