import { Client } from 'pg';

/** How often each name of a pet is stored in a PostgreSQL database. */
export async function storedNames(databaseUrl: string): Promise<Map<string, number>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; count: string }>(
      'SELECT name, count(*) FROM pets GROUP BY name',
    );
    return new Map(rows.map(({ name, count }) => [name, Number(count)]));
  } finally {
    await client.end();
  }
}
