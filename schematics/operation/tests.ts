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
  const { module, spelling } = operation;
  const { plural, errorPrefix } = module;
  return `it('can ${inWords(operation)} that is there, and no other', async () => {
${bodyOf(operation)}    const id = await addSample(service, '/${plural.kebab}');
    const done = await ${call(operation, `\`/v1/${plural.kebab}/\${id}/${spelling.kebab}\``)};
    expect(done.status).toBe(200);
    expect(await done.json()).toMatchObject({ id });
    const missing = await ${call(operation, `'/v1/${plural.kebab}/999999/${spelling.kebab}'`)};
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ code: '${errorPrefix}_not_found' });
  });`;
}

function preconditionTest(operation: Operation, isRead: boolean): string {
  const { module, spelling } = operation;
  const seen = isRead ? 'service.fetch(path)' : 'service.patch(path, {})';
  const target = `\`\${path}/${spelling.kebab}\``;
  return `it('can ${inWords(operation)} only as the client has seen it, when it says so', async () => {
${bodyOf(operation)}    const path = \`/v1/${module.plural.kebab}/\${await addSample(service, '/${module.plural.kebab}')}\`;
    const seen = (await ${seen}).headers.get('etag') as string;
    const refused = await ${call(operation, target, `{ 'if-match': '"another"' }`)};
    expect(refused.status).toBe(412);
    const done = await ${call(operation, target, `{ 'if-match': seen }`)};
    expect(done.status).toBe(200);
  });`;
}

function idempotencyTest(operation: Operation): string {
  const { module, spelling } = operation;
  const { plural } = module;
  return `it('can be repeated under one key without repeating its work: ${handlerOf(operation)}', async () => {
${bodyOf(operation)}    const path = \`/v1/${plural.kebab}/\${await addSample(service, '/${plural.kebab}')}/${spelling.kebab}\`;
    const first = await ${call(operation, 'path', `{ 'idempotency-key': 'once' }`)};
    const again = await ${call(operation, 'path', `{ 'idempotency-key': 'once' }`)};
    expect([again.status, await again.text()]).toEqual([200, await first.text()]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });`;
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
