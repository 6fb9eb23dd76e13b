import { hash } from 'node:crypto';
import { openPostgres } from './postgres.mjs';
import { handleError } from './errors.mjs';
import { createSchema, getSchema, listSchema } from './schemas.mjs';
import { openSqlite } from './sqlite.mjs';

/** The handlers on the database that DATABASE_URL names. */
async function openHandlers({ DATABASE_URL, BOOTSTRAP_API_KEY }) {
  const newKeyHash = BOOTSTRAP_API_KEY && hash('sha256', BOOTSTRAP_API_KEY, 'hex');
  return DATABASE_URL.startsWith('sqlite:')
    ? openSqlite(DATABASE_URL.slice('sqlite:'.length), newKeyHash)
    : openPostgres(DATABASE_URL, newKeyHash);
}

/** Adds the three operations and the health route to `app` and serves them on the PORT of `env`. */
export async function serve(app, env) {
  const handlers = await openHandlers(env);
  app.setErrorHandler(handleError);
  app.get('/health/ready', handlers.ready);
  app.register((pets, _options, done) => {
    pets.addHook('onRequest', handlers.requireKey);
    pets.get('/v1/pets', { schema: listSchema }, handlers.list);
    pets.get('/v1/pets/:petId', { schema: getSchema }, handlers.get);
    pets.post('/v1/pets', { schema: createSchema, bodyLimit: 100 * 1024 }, handlers.create);
    done();
  });
  app.addHook('onClose', () => handlers.close());
  process.once('SIGTERM', () => app.close());
  await app.listen({ port: Number(env.PORT), host: '127.0.0.1' });
}
