import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Imported before the packages: Node then keeps compiled code on disk, which saves a quarter of the time a command takes. The
 * cache is beside the build and not in a shared temporary folder, where another user could put code; if the folder cannot be
 * written, nothing is kept. For commands only: a process holds what it has read of the cache to its end, 13 MB for a service,
 * whose start is rare and only a tenth of a second longer without it.
 */
enableCompileCache(join(__dirname, '..', '..', '.compile-cache'));
