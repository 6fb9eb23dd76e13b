import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express, { type Request, type Response } from 'express';
import type { AppError } from '../../../platform/errors/app-error';
import { readForm, TOO_LARGE } from './read-form';

const MEBIBYTE = 1_048_576;

async function respond(request: Request, response: Response): Promise<void> {
  try {
    const { fields, upload } = await readForm(request, response);
    const file = upload === TOO_LARGE ? upload : upload?.bytes.length;
    response.json({ fields: [...fields.keys()], file });
  } catch (error) {
    response.json({ code: (error as AppError).code });
  }
}

describe('The form of a session', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const app = express().post('/', (request, response) => void respond(request, response));
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function read(body: FormData | URLSearchParams): Promise<unknown> {
    return (await fetch(url, { method: 'POST', body })).json();
  }
  function form(...entries: readonly (readonly [string, string | File])[]): FormData {
    const data = new FormData();
    for (const [name, value] of entries) data.append(name, value);
    return data;
  }
  const file = (bytes: number) => new File(['x'.repeat(bytes)], 'pets.csv');
  const names = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`);
  const tooLarge = { code: 'form_too_large' };

  it('has a file of two mebibytes at most, and none of a larger one is kept', async () => {
    expect(await read(form(['file', file(2 * MEBIBYTE)]))).toEqual({ fields: [], file: 2 * MEBIBYTE });
    expect(await read(form(['file', file(2 * MEBIBYTE + 1)]))).toEqual({ fields: [], file: TOO_LARGE });
  });

  it('has one file at most', async () => {
    expect(await read(form(['file', file(1)], ['other', file(1)]))).toEqual(tooLarge);
  });

  it('has eight fields at most beside a file, each large enough for the file in base64', async () => {
    const fields = (count: number) => form(...names(count).map((name) => [name, '1'] as const));
    expect(await read(fields(8))).toEqual({ fields: names(8) });
    expect(await read(fields(9))).toEqual(tooLarge);
    expect(await read(form(['content', 'x'.repeat(3 * MEBIBYTE)]))).toEqual({ fields: ['content'] });
    expect(await read(form(['content', 'x'.repeat(3 * MEBIBYTE + 1)]))).toEqual(tooLarge);
  });

  it('has a mebibyte and a thousand fields at most without a file', async () => {
    const fields = (count: number) =>
      new URLSearchParams(Object.fromEntries(names(count).map((name) => [name, ''])));
    expect(await read(fields(1_000))).toEqual({ fields: names(1_000) });
    expect(await read(fields(1_001))).toEqual(tooLarge);
    expect(await read(new URLSearchParams({ a: 'x'.repeat(MEBIBYTE - 2) }))).toEqual({ fields: ['a'] });
    expect(await read(new URLSearchParams({ a: 'x'.repeat(MEBIBYTE - 1) }))).toEqual(tooLarge);
  });
});
