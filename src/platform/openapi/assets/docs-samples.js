/**
 * Describes a request of an operation by what its form says; what is empty there and required is the document's example.
 *
 * @param document the OpenAPI document
 * @param path a path of it, and the name of one of its methods
 * @param base where the service is, ending in the version segment where the path is below it
 * @param clientPackage address of the package of the TypeScript client
 * @param form values by `in.name`, and the text of the body
 */
export function sampleRequest(document, path, method, base, clientPackage, form = {}) {
  const item = document.paths[path];
  const operation = item[method];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
  const body = bodyOf(operation.requestBody, document, form.body);
  if (operation.requestBody && !body) return undefined;
  let target = path;
  const query = new URLSearchParams();
  const values = [];
  for (const { name, in: place, required, schema = {} } of parameters) {
    const typed = [form.values?.[`${place}.${name}`] ?? []].flat().filter((one) => one !== '');
    const [value = exampleOf(schema)] = typed;
    if (place === 'path') {
      target = target.replace(`{${name}}`, encodeURIComponent(value));
      values.push(literal(value, schema, document));
    } else if (place === 'query') {
      for (const one of typed.length === 0 && required ? [value] : typed) query.append(name, one);
    }
  }
  return {
    operation,
    base,
    clientPackage,
    method: method.toUpperCase(),
    url: `${base}${target}${query.size > 0 ? `?${query}` : ''}`,
    needsKey: (operation.security ?? []).length > 0,
    body,
    values,
    query: Object.fromEntries(query),
    isList:
      method === 'get' && parameters.some(({ name, in: place }) => place === 'query' && name === 'cursor'),
    document,
  };
}

/** Returns the server that requests of a path go to, without a slash at its end: the chosen one unless the path names its own. */
export function baseOf(document, path, { specSelectors, oas3Selectors }) {
  const [own] = document.paths[path].servers ?? [];
  const server = own?.url ?? (oas3Selectors.selectedServer() || document.servers[0].url);
  return new URL(server, specSelectors.url()).href.replace(/\/$/, '');
}

/**
 * The languages that samples are shown in, the grammar of Swagger UI that colours each (it has none of Python), and how a
 * request is written in it; undefined where it cannot be.
 */
export const LANGUAGES = [
  { name: 'curl', syntax: 'bash', write: curl },
  { name: 'TypeScript client', syntax: 'javascript', write: client },
  { name: 'fetch', syntax: 'javascript', write: fetchCall },
  { name: 'Python', syntax: 'javascript', write: python },
];

function bodyOf(requestBody, document, text) {
  const [type, media] =
    Object.entries(requestBody?.content ?? {}).find(([name]) => /[/+]json$/.test(name)) ?? [];
  if (!type) return undefined;
  const example = media.example ?? resolved(media.schema, document).example ?? {};
  const value = text ? parsed(text) : example;
  return { type, schema: media.schema, value, text: value === undefined ? text : json(value) };
}

/** Parses JSON without rounding an integer; undefined if it is none. */
function parsed(text) {
  try {
    return JSON.parse(text, (_name, value, context) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source)
        ? BigInt(context.source)
        : value,
    );
  } catch {
    return undefined;
  }
}

function json(value) {
  return JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? JSON.rawJSON(String(one)) : one));
}

/** Tells whether a double would round an integer of a value. */
function hasLargeInteger(value) {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasLargeInteger);
}

function exampleOf(schema) {
  const example = schema.example ?? schema.default ?? schema.enum?.[0];
  if (example !== undefined) return example;
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'example';
}

function resolved(schema, document) {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
}

function curl({ method, url, needsKey, body }) {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shell(url)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $PETSTORE_API_KEY"'] : []),
    ...(body ? [`-H 'Content-Type: ${body.type}'`, `-d ${shell(body.text)}`] : []),
  ].join(' \\\n  ');
}

function shell(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function fetchCall({ method, url, needsKey, body, document }) {
  const headers = [
    ...(needsKey ? ['Authorization: `Bearer ${process.env.PETSTORE_API_KEY}`'] : []),
    ...(body ? [`'Content-Type': '${body.type}'`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: {\n    ${headers.join(',\n    ')},\n  }`] : []),
    ...(body ? [`body: ${bodyLiteral(body, document)}`] : []),
  ];
  const given = options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : '';
  return `const response = await fetch('${url}'${given});
// The text has every digit of a 64-bit integer; response.json() would round it.
console.log(response.status, await response.text());`;
}

function bodyLiteral({ value, text }, document) {
  const isExact = value !== undefined && !hasLargeInteger(value);
  return isExact ? `JSON.stringify(${literal(value, {}, document)})` : literal(text, {}, document);
}

/** By the client of this service: the parts of the path first, then the body, then the query. */
function client({ operation, base, clientPackage, values, body, query, isList, document }) {
  const types = Object.values(operation.responses).flatMap(({ content = {} }) => Object.keys(content));
  // The client has no method for what never ends.
  if (types.includes('text/event-stream') || (body && body.value === undefined)) return undefined;
  const given = [
    ...values,
    ...(body ? [literal(body.value, body.schema, document)] : []),
    ...(Object.keys(query).length > 0 ? [literal(query, {}, document)] : []),
  ].join(', ');
  const call = `client.${operation.operationId}(${given})`;
  return `// npm install ${clientPackage}
import { PetstoreClient } from '@petstore/client';

const client = new PetstoreClient({
  baseUrl: '${base}',
  apiKey: process.env.PETSTORE_API_KEY ?? '',
});

${isList ? `for await (const one of ${call}) console.log(one);` : `console.log(await ${call});`}`;
}

function python({ method, url, needsKey, body }) {
  const headers = [
    ...(needsKey ? [`"Authorization": f"Bearer {os.environ['PETSTORE_API_KEY']}"`] : []),
    ...(body ? [`"Content-Type": "${body.type}"`] : []),
  ];
  const given = [
    JSON.stringify(url),
    ...(headers.length > 0 ? [`headers={\n        ${headers.join(',\n        ')},\n    }`] : []),
    ...(body
      ? [body.value === undefined ? `data=${JSON.stringify(body.text)}` : `json=${pythonLiteral(body.value)}`]
      : []),
  ];
  return `${needsKey ? 'import os\n' : ''}import requests

response = requests.${method.toLowerCase()}(
    ${given.join(',\n    ')},
)
print(response.status_code, response.text)`;
}

function pythonLiteral(value) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return json(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one)}`,
  );
  return `{${members.join(', ')}}`;
}

/** A value in JavaScript; 64-bit integers are those of the schema. */
function literal(value, schema, document) {
  const { type, format, items, properties } = resolved(schema ?? {}, document);
  if (type === 'integer' && format === 'int64' && /^-?\d+$/.test(value)) return `${value}n`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, items, document)).join(', ')}]`;
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${literal(one, properties?.[name], document)}`,
  );
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}
