/** What a person who has just started the service does next: the docs, and one command for each operation. */
export function startGuide({
  url,
  firstKey,
}: {
  readonly url: string;
  readonly firstKey: string | undefined;
}): string {
  const header = `-H "Authorization: Bearer ${firstKey ?? '$PETSTORE_API_KEY'}"`;
  const key = firstKey
    ? `Your first API key, shown this once; keep it:\n\n  ${firstKey}\n`
    : `Use the API key you have, or make one:\n\n  npm run -s petstore -- keys create --name me --scopes pets:read,pets:write\n  export PETSTORE_API_KEY=petk_...\n`;
  return `
The petstore service is running at ${url}.

${key}
Browse and try it:   ${url}/docs
The same by hand:

  curl -X POST ${url}/v1/pets ${header} -H "Content-Type: application/json" -d '{"name":"Rex","categoryId":3,"status":"available"}'
  curl "${url}/v1/pets?status=available&limit=20" ${header}
  curl ${url}/v1/pets/1 ${header}

Stop it with Ctrl+C.
`;
}
