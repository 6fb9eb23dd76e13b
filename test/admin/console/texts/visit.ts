import { RecordsService } from '../../../../src/admin/records/records.service';
import { ApiKeysService } from '../../../../src/auth/api-keys.service';
import { PETS_ADMIN } from '../../../../src/pets/pets.admin';
import { PetsService } from '../../../../src/pets/pets.service';
import type { TestService } from '../../../support/service/service';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
  textIn,
} from '../../../support/service/console';

/** What a page says: where, how to get there, and the sentences, in which `…` stands for a value. */
export type Said = readonly [
  where: string,
  open: (visit: Visit) => Promise<ConsoleResponse>,
  sentences: readonly string[],
];

type Fields = Record<string, string | string[]>;

/** An operator who may do everything, and what is done to lead them to a sentence. */
export class Visit {
  readonly keys: ApiKeysService;
  readonly records: RecordsService;
  readonly pets: PetsService;
  private strangers = 0;

  constructor(
    readonly service: TestService,
    readonly client: ConsoleClient,
  ) {
    this.keys = service.app.get(ApiKeysService);
    this.records = service.app.get(RecordsService, { strict: false });
    this.pets = service.app.get(PetsService, { strict: false });
  }

  /** Someone without a session, at an address of their own: so the limit of failed sign-ins is not met. */
  async stranger(): Promise<ConsoleClient> {
    const client = await openConsole(this.service);
    client.headers = {
      'X-Forwarded-For': `203.0.113.${(this.strangers += 1)}`,
      'X-Forwarded-Proto': 'https',
    };
    return client;
  }

  /** An operator whose key is their own. */
  async operator(...scopes: string[]): Promise<{ client: ConsoleClient; id: string }> {
    const { key, token } = await this.keys.create({ name: 'own', scopes: ['admin:read', ...scopes] });
    return { client: await openConsole(this.service, token), id: key.id };
  }

  /** @returns the page of a new key */
  async keyPage(name = 'shop'): Promise<string> {
    return `/admin/keys/${(await this.keys.create({ name, scopes: ['pets:read'] })).key.id}`;
  }

  async pet(name = 'Rex', status = 'available'): Promise<bigint> {
    return (await this.records.create(PETS_ADMIN, { name, categoryId: 3n, status })).id;
  }

  /** Fills in a form of a page, sends it, and follows where that leads. */
  async send(
    page: string,
    action = page,
    fields: Fields = {},
    client = this.client,
  ): Promise<ConsoleResponse> {
    return this.sendFrom(await client.get(page), action, fields, client);
  }

  /** The same from a page that is open already. */
  async sendFrom(
    { html }: ConsoleResponse,
    action: string,
    fields: Fields = {},
    client = this.client,
  ): Promise<ConsoleResponse> {
    const hidden = hiddenFields(html, action.replaceAll('&', '&amp;'));
    const response = await client.post(action, { ...hidden, ...fields });
    return response.location === undefined ? response : client.get(response.location);
  }

  /** Presses the button "Undo" or "Redo" of a page. */
  undo(page: ConsoleResponse): Promise<ConsoleResponse> {
    return this.sendFrom(page, /action="([^"]+\/undo)"/.exec(page.html)?.[1] ?? 'none');
  }
}

/** Expects that a page says the sentences, whatever its markup is. */
export function expectSaid({ html }: ConsoleResponse, sentences: readonly string[]): void {
  const text = textIn({ html: html.slice(html.indexOf('<main')) })
    .replaceAll(/ (?=[.,:;?!”])/g, '')
    .replaceAll('“ ', '“');
  for (const sentence of sentences) {
    const pattern = sentence.replaceAll(/[.?+*()[\]|]/g, String.raw`\$&`).replaceAll('…', '.+?');
    expect(text).toMatch(new RegExp(pattern));
  }
}
