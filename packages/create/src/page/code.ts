import type { ExistingModule } from '../module/existing-module.ts';
import { capitalized, type Spelling } from '../text/spelling.ts';

/** A page of the console that a module has. */
export interface Page {
  readonly module: ExistingModule;
  readonly spelling: Spelling;
}

/** The path of a page below `/admin`. */
function pathOf({ module, spelling }: Page): string {
  return `${module.plural.kebab}/${spelling.kebab}`;
}

/** The class of the fields of its form. */
export function formCode({ module, spelling }: Page): string {
  const { singular, plural, idParameter } = module;
  return `import { ReferenceField } from '@petstore/platform';

/** The form of the page "${capitalized(spelling.words)}". */
export class ${spelling.pascal}FormDto {
  @ReferenceField('/${plural.kebab}', { description: 'Identifier of the ${singular.words}.', example: 1 })
  ${idParameter}!: bigint;
}
`;
}

export function controllerCode(page: Page): string {
  const { module, spelling } = page;
  const { singular, plural, idParameter } = module;
  const title = capitalized(spelling.words);
  const form = `${spelling.pascal}FormDto`;
  return `import {
  ConsoleController,
  type ConsoleForm,
  type ConsolePage,
  ConsoleScopes,
  FormOf,
  page,
  seeOther,
  type SeeOther,
} from '@petstore/platform';
import { join } from 'node:path';
import { Get, Post } from '@nestjs/common';
import { ${form} } from './dto/${spelling.kebab}-form.dto';
import { ${plural.pascal}Service } from './${plural.kebab}.service';

const TITLE = '${title}';
const PATH = '${pathOf(page)}';

/** The page "${title}" of the console. */
@ConsoleController(PATH, { title: TITLE })
@ConsoleScopes('admin:${plural.kebab}')
export class ${spelling.pascal}Controller {
  constructor(private readonly ${plural.camel}: ${plural.pascal}Service) {}

  @Get()
  show(@FormOf(${form}) form: ConsoleForm<${form}>): ConsolePage {
    return page(join(__dirname, '${spelling.kebab}.eta'), { title: TITLE, form });
  }

  @Post()
  async send(@FormOf(${form}) form: ConsoleForm<${form}>): Promise<ConsolePage | SeeOther> {
    try {
      const ${singular.camel} = await form.once(async ({ ${idParameter} }) => {
        // Do here what the page is for.
        return this.${plural.camel}.get(${idParameter});
      });
      return seeOther(\`/admin/\${PATH}\`, { notice: \`\${TITLE}: done for ${singular.words} \${${singular.camel}.id}.\` });
    } catch (error) {
      return this.show(form.refused(error));
    }
  }
}
`;
}

export function templateCode({ spelling }: Page): string {
  return `<% layout('/frame/layout/page') %>
<form class="card form" method="post" action="<%= it.request.path %>">
  <%= ui.errorSummary(it.form.faults) %>
  <%= ui.csrfOnce(it.request) %>
  <% for (const field of it.form.fields) { %><%= ui.field(field) %><% } %>
  <div class="form-actions"><button class="button button-primary" type="submit"<%= ui.unlessReadOnly %>>${capitalized(spelling.words)}</button></div>
</form>
`;
}

export function specCode(page: Page): string {
  const { module, spelling } = page;
  const { singular, plural, idParameter } = module;
  return `import { addSample, openConsole, startTestService, type TestService } from '@petstore/platform/testing';

const PAGE = '/admin/${pathOf(page)}';

describe('the page "${capitalized(spelling.words)}"', () => {
  let service: TestService;
  beforeAll(async () => (service = await startTestService('sqlite')));
  afterAll(() => service.stop());

  it('is carried out for ${module.withArticle} that is there', async () => {
    const ${idParameter} = String(await addSample(service, '/${plural.kebab}'));
    const browser = await openConsole(service, service.key);
    expect((await browser.submit(PAGE, PAGE, { ${idParameter} })).location).toBe(PAGE);
    expect((await browser.get(PAGE)).html).toContain(\`done for ${singular.words} \${${idParameter}}.\`);
  });

  it('is shown again when no ${singular.words} has the identifier', async () => {
    const browser = await openConsole(service, service.key);
    const { status, html } = await browser.submit(PAGE, PAGE, { ${idParameter}: '999999' });
    expect([status, html]).toEqual([404, expect.stringContaining('There is a problem')]);
  });

  it('is closed to people without the scope', async () => {
    const browser = await openConsole(service, await service.keyWith('admin:read'));
    expect((await browser.get(PAGE)).status).toBe(403);
  });
});
`;
}
