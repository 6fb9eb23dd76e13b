import type { DataSource } from 'typeorm';
import type { ApiKeysService } from '../../auth/api-keys.service';
import { loadSettings } from '../../platform/config/load-settings';
import { examined } from './drill';

describe('The examination of a restored database', () => {
  function endingIn(code: string) {
    const fault = Object.assign(new Error('It ended.'), { code });
    const restored = { options: { type: 'postgres' }, query: () => Promise.reject(fault) };
    return examined(restored as unknown as DataSource, loadSettings({}), {} as ApiKeysService);
  }

  it.each([
    ['a full disk of the server', '53100'],
    ['a full disk', 'SQLITE_FULL'],
    ['a server that ends', '57P01'],
    ['a lost connection', 'ECONNRESET'],
    ['a missing right', '42501'],
  ])('has no findings about the backup after %s', async (_, code) => {
    await expect(endingIn(code)).rejects.toThrow('It ended.');
  });

  it.each([
    ['a duplicate', '23505'],
    ['a damaged page', 'XX001'],
    ['a file of SQLite that ends too early', 'SQLITE_IOERR_SHORT_READ'],
  ])('finds %s', async (_, code) => {
    expect(await endingIn(code)).toMatchObject({ problems: ['It ended.'] });
  });
});
