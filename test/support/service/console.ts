import { parseSetCookie } from 'cookie';
import { ask, field } from '../../contract/support/request';
import type { RawResponse } from '../http/raw-http';
import type { TestService } from './service';

/** A page as it came, or the response in its place. */
export interface ConsoleResponse {
  readonly status: number;
  readonly html: string;
  readonly location: string | undefined;
  readonly raw: RawResponse;
}

/** A browser at the console, as far as HTTP goes: it keeps cookies and fills in the hidden fields of forms. */
export class ConsoleClient {
  readonly cookies = new Map<string, string>();
  /** Header fields of every request. */
  headers: Record<string, string> = {};
  /** Whether it tells the origin of the page that a form stands on, as every browser does. */
  saysOrigin = true;

  constructor(private readonly port: number) {}

  get(path: string, headers: Record<string, string> = {}): Promise<ConsoleResponse> {
    return this.ask('GET', path, undefined, headers);
  }

  head(path: string): Promise<ConsoleResponse> {
    return this.ask('HEAD', path, undefined, {});
  }

  /** Sends a form as it is, without a token of its own. */
  post(
    path: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<ConsoleResponse> {
    return this.ask('POST', path, formOf(fields), headers);
  }

  /** Sends a form with files, as browsers do. */
  async upload(path: string, fields: Record<string, string | File>): Promise<ConsoleResponse> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type') ?? '';
    return this.ask('POST', path, Buffer.from(await encoded.arrayBuffer()), { 'Content-Type': type });
  }

  /** Opens a page, and sends the form on it that leads to `path` with its hidden fields. */
  async submit(
    pagePath: string,
    path: string,
    fields: Record<string, string | string[]> = {},
  ): Promise<ConsoleResponse> {
    const { html } = await this.get(pagePath);
    return this.post(path, { ...hiddenFields(html, path), ...fields });
  }

  /** @throws Error when it is refused */
  async signIn(key: string): Promise<void> {
    const { status } = await this.post('/admin/sign-in', { key });
    if (status !== 303) throw new Error(`The console responded with ${status}.`);
  }

  private async ask(
    method: string,
    target: string,
    body: URLSearchParams | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<ConsoleResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const host = headers['Host'] ?? this.headers['Host'] ?? `127.0.0.1:${this.port}`;
    const raw = await ask(
      { port: this.port, key: '' },
      {
        method,
        target,
        key: null,
        headers: {
          Host: host,
          ...(cookie !== '' && { Cookie: cookie }),
          ...(body && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          ...(body && this.saysOrigin && { Origin: `http://${host}` }),
          ...this.headers,
          ...headers,
        },
        ...(body && { body: Buffer.isBuffer(body) ? body : body.toString() }),
      },
    );
    for (const text of raw.headers.get('set-cookie') ?? []) {
      const { name, value, maxAge } = parseSetCookie(text);
      if (maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value ?? '');
    }
    return { status: raw.status, html: raw.body, location: field(raw, 'location'), raw };
  }
}

/** A browser at the console of a service, signed in when a key is given. */
export async function openConsole(service: TestService, key?: string): Promise<ConsoleClient> {
  const client = new ConsoleClient(service.managementPort);
  if (key !== undefined) await client.signIn(key);
  return client;
}

/** The hidden fields of the form of a page that is sent to `path`. @throws Error when there is no such form */
export function hiddenFields(html: string, path: string): Record<string, string> {
  const form = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)]
    .map(([text]) => text)
    .find((text) => text.includes(`action="${path}"`));
  if (form === undefined) throw new Error(`The page has no form to ${path}: ${html.slice(0, 500)}`);
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Text as it was before it was escaped. */
export function unescaped(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? entity);
}

/** The text of a page without its markup. */
export function textIn({ html }: Pick<ConsoleResponse, 'html'>): string {
  return unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
}

/** What the control of a field holds on a page; undefined when there is none. */
export function typedIn({ html }: ConsoleResponse, name: string): string | undefined {
  const value = new RegExp(`<input type="[a-z]+"\\s+id="field-${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
  const area = new RegExp(`<textarea id="field-${name}"[^>]*>\\n([^<]*)<`).exec(html)?.[1];
  const select = new RegExp(`<select id="field-${name}"[\\s\\S]*?</select>`).exec(html)?.[0];
  const chosen = select && /<option value="([^"]*)"\s+selected/.exec(select)?.[1];
  const text = value ?? area ?? chosen;
  return text === undefined ? undefined : unescaped(text);
}

function formOf(fields: Record<string, string | string[]>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value);
  }
  return form;
}
