import type { Command } from 'commander';
import { AUDIT_FILTERS } from '../../../src/admin/audit/audit-filters';
import { REQUEST_FILTERS } from '../../../src/admin/requests/request-filters';
import { KEY_FILTERS } from '../../../src/auth/dto/key-filters';
import type { AdminFilter } from '../../../src/platform/validation/admin-filter';
import { inertProgram, leavesOf } from '../../cli/support/command-tree';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole } from '../../support/service/console';

const TABLES: [list: string, filters: readonly AdminFilter[], commands: string[]][] = [
  ['audit', AUDIT_FILTERS, ['audit list', 'audit export']],
  ['requests', REQUEST_FILTERS, ['requests list', 'requests tail']],
  ['keys', KEY_FILTERS, ['keys list']],
];

/** A text that a filter takes. */
function textOf({ values = {} }: AdminFilter): string {
  if (values.choices) return values.choices.at(-1)?.value as string;
  if (values.type === 'date') return '2026-01-31';
  return values.type === 'datetime-local' ? '2026-01-31T12:00' : '200';
}

describe.each(TABLES)('Each filter of the list %s', (list, filters, commands) => {
  let service: TestService;
  let client: ConsoleClient;
  let program: Command;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    client = await openConsole(service, service.key);
    program = await inertProgram();
  });
  afterAll(() => service.stop());

  it('has a field on the page, which keeps the text of the address', async () => {
    const given = new Map(filters.map((filter) => [filter.name, textOf(filter)]));
    given.delete('operation');
    const { html, status } = await client.get(`/admin/${list}?${new URLSearchParams([...given]).toString()}`);
    expect(status).toBe(200);
    expect(html).not.toContain('class="field-error"');
    for (const { name, label } of filters) expect(html).toContain(`<label for="field-${name}">${label}`);
    for (const [name, text] of given) {
      expect(html).toMatch(
        new RegExp(`name="${name}"[^>]*(value="${text}"|>[^]*?value="${text}"\\s+selected)`),
      );
    }
  });

  it('goes with the address to which "Reset" leads, and the order stays', async () => {
    const texts = new URLSearchParams(
      filters.map((filter): [string, string] => [filter.name, textOf(filter)]),
    );
    const { html } = await client.get(`/admin/${list}?${texts.toString()}&sort=-created`);
    expect(html).toContain(`href="/admin/${list}?sort=-created">Reset</a>`);
  });

  it.each(commands)('has an option of %s', (command) => {
    const options = leavesOf(program).find(({ path }) => path === command)?.command.options ?? [];
    const flags = options.map((option) => [option.flags, option.description]);
    for (const { option, help, values } of filters) {
      const wanted =
        option === undefined ? values?.choices?.map((one) => [one.option, one.help]) : [[option, help]];
      expect(flags).toEqual(expect.arrayContaining(wanted ?? []));
    }
  });
});
