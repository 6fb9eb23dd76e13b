import { handlerOf, inWords, type Operation } from './operation.ts';

/**
 * The tests of an operation.
 *
 * @param isRead true if clients can read single records of the module
 */
export function testsOf(operation: Operation, isRead: boolean): string[] {
  const { hasPrecondition, isIdempotent } = operation;
  return [
    basicTest(operation),
    ...(hasPrecondition ? [preconditionTest(operation, isRead)] : []),
    ...(isIdempotent ? [idempotencyTest(operation)] : []),
  ];
}

function basicTest(operation: Operation): string {
  const { module, parent, spelling } = operation;
  const { plural, errorPrefix } = module;
  const target = (id: string, base = collectionOf(operation)) => `\`${base}/${id}/${spelling.kebab}\``;
  const ofAnother = parent
    ? `
    const another = \`/v1/${parent.plural.kebab}/\${await addSample(service, '/${parent.plural.kebab}')}/${plural.kebab}\`;
    expect((await ${call(operation, target('${id}', '${another}'))}).status).toBe(404);`
    : '';
  return `it('can ${inWords(operation)} that is there, and no other', async () => {
${bodyOf(operation)}    const id = ${added(operation)};
    const done = await ${call(operation, target('${id}'))};
    expect(done.status).toBe(200);
    expect(await done.json()).toMatchObject({ id });
    const missing = await ${call(operation, parent ? target('999999') : target('999999').replaceAll('`', "'"))};
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ code: '${errorPrefix}_not_found' });${ofAnother}
  });`;
}

function preconditionTest(operation: Operation, isRead: boolean): string {
  const { spelling } = operation;
  const seen = isRead ? 'service.fetch(path)' : 'service.patch(path, {})';
  const target = `\`\${path}/${spelling.kebab}\``;
  return `it('can ${inWords(operation)} only as the client has seen it, when it says so', async () => {
${bodyOf(operation)}    const path = \`${collectionOf(operation)}/\${${added(operation)}}\`;
    const seen = (await ${seen}).headers.get('etag') as string;
    const refused = await ${call(operation, target, `{ 'if-match': '"another"' }`)};
    expect(refused.status).toBe(412);
    const done = await ${call(operation, target, `{ 'if-match': seen }`)};
    expect(done.status).toBe(200);
  });`;
}

function idempotencyTest(operation: Operation): string {
  const { spelling } = operation;
  return `it('can be repeated under one key without repeating its work: ${handlerOf(operation)}', async () => {
${bodyOf(operation)}    const path = \`${collectionOf(operation)}/\${${added(operation)}}/${spelling.kebab}\`;
    const first = await ${call(operation, 'path', `{ 'idempotency-key': 'once' }`)};
    const again = await ${call(operation, 'path', `{ 'idempotency-key': 'once' }`)};
    expect([again.status, await again.text()]).toEqual([200, await first.text()]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });`;
}

/** The path of the collection within a template literal: tests of a nested collection have it in a variable. */
function collectionOf({ module, parent }: Operation): string {
  return parent ? '${collection}' : `/v1/${module.plural.kebab}`;
}

/** An expression that adds a record and returns its id. */
function added({ module, parent }: Operation): string {
  return parent ? '(await add()).item.id' : `await addSample(service, '/${module.plural.kebab}')`;
}

/** The declaration of the body that a test sends; empty if the operation takes none. */
function bodyOf({ body }: Operation): string {
  const members = body?.fields.map(({ name, testValues }) => `${name}: ${testValues[0]}`);
  return members ? `    const body = { ${members.join(', ')} };\n` : '';
}

/** A request to the operation. @param headers an object literal */
function call({ method, body }: Operation, target: string, headers?: string): string {
  if (method === 'get') return `service.fetch(${target})`;
  if (method === 'post' && body) {
    return `service.post(${target}, body${headers === undefined ? '' : `, ${headers}`})`;
  }
  const sent = [`method: '${method.toUpperCase()}'`];
  if (body) {
    const given = headers === undefined ? '' : `, ...${headers}`;
    sent.push(`headers: { 'content-type': 'application/json'${given} }`, 'body: JSON.stringify(body)');
  } else if (headers !== undefined) sent.push(`headers: ${headers}`);
  return `service.fetch(${target}, { ${sent.join(', ')} })`;
}
