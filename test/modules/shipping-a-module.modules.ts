import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { AskedRegistry } from './support/asked-registry';
import { CommandLine } from './support/command-line';
import { codeBlocksOf } from './support/guide-blocks';
import { GuideReader } from './support/guide-reader';
import { original, ProjectCopy } from './support/project-copy';

/** Packages are installed in here. */
jest.setTimeout(900_000);

const PAGE = 'docs/shipping-a-module.md';
const LAST = 'Take it out';
const sections = [...Map.groupBy(codeBlocksOf(original(PAGE)), ({ section }) => section)];

/** What a person writes into a second module: it gives each new pet a gift card, by TypeORM's `DataSource`, and has a command. */
const WELCOME = `
import { type CommandGroup, Events, JSON_OPTION, OnEvent } from '@petstore/platform';
import { PetCreated, PetsService } from '@petstore/platform/pets';
import { ConflictException, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { GiftCard } from './gift-card.entity';
import { GiftCardsService } from './gift-cards.service';

@Injectable()
export class Welcome {
  constructor(
    private readonly giftCards: GiftCardsService,
    private readonly pets: PetsService,
    private readonly dataSource: DataSource,
    readonly events: Events,
  ) {}

  @OnEvent(PetCreated, { delivery: 'transaction' })
  async welcome({ pet }: PetCreated): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.giftCards.create({ code: \`for \${(await this.pets.get(pet.id)).name}\`, petId: pet.id });
      const cards = await manager.findBy(GiftCard, { petId: pet.id });
      if (cards.some(({ code }) => code === 'for Nobody')) throw new ConflictException('Nobody gets no gift card.');
    });
  }
}

export const addWelcomeCommand: CommandGroup = (program, cli) => {
  program
    .command('welcome')
    .description('show the gift card of a pet')
    .argument('<id>')
    .option(...JSON_OPTION)
    .addHelpText('after', '\\nExample:\\n  petstore welcome 1')
    .action((id: string) =>
      cli.withApp(async (app) => cli.output.json({ code: (await app.get(GiftCardsService).get(BigInt(id))).code })),
    );
};
`;

describe(`What ${PAGE} says, followed in a copy of the project`, () => {
  const copy = new ProjectCopy(true);
  const reader = new GuideReader(copy);
  const platform = 'packages/platform/package.json';
  const setVersion = (version: string) => {
    copy.write(platform, copy.read(platform).replace(/"version": "[^"]*"/, `"version": "${version}"`));
  };
  const follow = async (name: string) => {
    const [, blocks = []] = sections.find(([section]) => section === name) ?? [];
    for (const block of blocks) {
      await reader.follow(block).catch((error: unknown) => {
        throw new Error(`${PAGE}:${block.line} does not work.`, { cause: error });
      });
    }
    expect(blocks).not.toEqual([]);
  };
  afterEach(() => reader.endBackground());
  afterAll(async () => {
    await endServiceProcesses();
    copy.dispose();
  });

  it.each(sections.map(([section]) => section).filter((section) => section !== LAST))(
    'works as written: %s',
    follow,
  );

  it('changes no file of the project, except those that an installation changes', () => {
    expect(copy.changes()).toEqual({
      added: ['packages/acme-petstore-coupons-1.0.0.tgz'],
      changed: [
        'docs/openapi.json',
        'package-lock.json',
        'package.json',
        'packages/client/src/generated/petstore-client.ts',
        'packages/client/src/generated/types.ts',
        'src/features.ts',
      ],
      removed: [],
    });
  });

  it('refuses what the generator cannot write, and writes nothing', async () => {
    const command = (name: string, packageName: string, folder: string) =>
      copy.run(
        `npm run -s new-module -- ${name} --fields "code:string" --package ${packageName} --folder ${folder}`,
      );
    const refused = async (words: readonly [string, string, string]) => (await command(...words)).stderr;
    expect(await refused(['coupons', '@acme/x', '../petstore-coupons'])).toBe(
      'The folder ../petstore-coupons already exists and is not empty.\n',
    );
    expect(await refused(['coupons', "'Acme X'", '../petstore-x'])).toBe(
      '"Acme X" cannot name a package: write it as @acme/petstore-coupons.\n',
    );
    expect(await refused(['pets', '@acme/x', '../petstore-x'])).toMatch(
      /^The folder src\/pets already exists/,
    );
    await expect(copy.run('ls ../petstore-x')).resolves.toMatchObject({ code: 2 });
  });

  it('has the record of the generator beside the module, and not in the package', async () => {
    const line =
      'npm run -s new-module -- offers --fields "code:string" --package @acme/x --folder ../x --dry-run';
    const shown = await copy.succeed(line);
    expect(shown).toContain('CREATE src/offers/offers.module.ts\n');
    expect(shown).toContain('CREATE src/every-operation.spec.ts\n');
    expect(shown).toContain('CREATE src/offers/.generated.json\n');
    expect(await copy.succeed('tar --list --file packages/acme-petstore-coupons-1.0.0.tgz')).not.toContain(
      '.generated.json',
    );
  });

  it('works with a later version of the platform, beside a second module with handlers and commands', async () => {
    const folder = '../petstore-gift-cards';
    await copy.succeed(
      `npm run -s new-module -- gift-cards --fields "code:string(max=40,unique) petId:ref(pets) amount:decimal(10,2)? state:enum(open|used,read-only)?" --package @acme/petstore-gift-cards --folder ${folder}
       ln -s ../petstore-coupons/node_modules ${folder}/node_modules`,
    );
    copy.write(`${folder}/src/gift-cards/welcome.ts`, WELCOME);
    const module = `${folder}/src/gift-cards/gift-cards.module.ts`;
    copy.write(
      module,
      copy
        .read(module)
        .replace(
          '\n\n@Feature({',
          "\nimport { PetsModule } from '@petstore/platform/pets';\nimport { addWelcomeCommand, Welcome } from './welcome';\n\n@Feature({\n  commands: [addWelcomeCommand],",
        )
        .replace('@Module({', '@Module({\n  imports: [PetsModule],')
        .replace('providers: [', 'providers: [Welcome, '),
    );
    setVersion('1.4.0');
    await copy.succeed(
      `npm pack --silent ${folder} --pack-destination packages
       npm install --no-audit ./packages/acme-petstore-gift-cards-1.0.0.tgz
       echo "export { GiftCardsModule } from '@acme/petstore-gift-cards';" >> src/features.ts
       npm run -s build`,
    );
  });

  describeEachEngine('serves both modules', (engine) => {
    let database: TestDatabase;
    beforeAll(async () => (database = await createTestDatabase(engine)));
    afterAll(() => database.drop());

    it('over HTTP, to operators and in one transaction with pets', async () => {
      const environment = { DATABASE_URL: database.url, NODE_ENV: 'production' };
      const petstore = new CommandLine(copy, environment);
      expect(await petstore.run('db migrate')).toMatchObject({ code: 0 });
      expect((await petstore.run('db check')).stdout).not.toContain('fail');
      const scopes = ['pets', 'coupons', 'gift-cards'].map((name) => `${name}:read,${name}:write`).join();
      const { key } = await petstore.json<{ key: string }>(`keys create --name trial --scopes ${scopes}`);
      const service = await ServiceProcess.start(environment, { cwd: copy.folder, project: copy.folder });

      const pet = await service.post('/v1/pets', key, '{"name":"Rex","categoryId":1}');
      expect(pet.status).toBe(201);
      const cards = await service.fetch('/v1/gift-cards?petId=1', key);
      expect(await cards.json()).toMatchObject([{ id: 1, code: 'for Rex', petId: 1 }]);
      const refused = await service.post('/v1/pets', key, '{"name":"Nobody","categoryId":1}');
      expect(await refused.json()).toMatchObject({ status: 409, message: 'Nobody gets no gift card.' });
      for (const path of ['/v1/pets', '/v1/gift-cards']) {
        expect(await (await service.fetch(path, key)).json()).toHaveLength(1);
      }
      const coupon = { code: 'A', percent: 5, petId: 1 };
      expect((await service.post('/v1/coupons', key, JSON.stringify(coupon))).status).toBe(201);
      expect(await (await service.fetch('/v1/coupons/1', key)).json()).toEqual({ id: 1, ...coupon });
      expect((await service.post('/v1/coupons', key, '{"code":"B","percent":5,"petId":9}')).status).toBe(409);
      expect(await petstore.json('welcome 1')).toEqual({ code: 'for Rex' });
      expect(await petstore.json('coupons update 1 --percent 6')).toMatchObject({ percent: 6 });
      await service.kill('SIGTERM');
    });
  });

  it('does not start with a version of the platform that it was not written for', async () => {
    setVersion('2.0.0');
    const sentence =
      '@acme/petstore-coupons 1.0.0 needs @petstore/platform ^1.3.0, but this service has 2.0.0: install a version of the module that fits.\n';
    for (const entry of ['main.js', 'cli.js --help']) {
      expect(await copy.run(`node dist/src/${entry}`)).toEqual({ code: 1, stdout: '', stderr: sentence });
    }
    setVersion('1.4.0');
  });

  describe('asks no registry for a platform that a module needs and nobody has', () => {
    const registry = new AskedRegistry();
    beforeAll(async () => {
      await registry.start();
      copy.write(
        '../petstore-later/package.json',
        JSON.stringify({
          name: 'later',
          version: '1.0.0',
          peerDependencies: { '@petstore/platform': '^2.0.0' },
        }),
      );
      await copy.succeed('npm pack --silent ../petstore-later --pack-destination ..');
    });
    afterAll(() => registry.stop());

    const install = (folder: string, file: string) =>
      copy.run(`cd ${folder} && timeout 60 npm install --package-lock-only --no-audit ${file}`, {
        npm_config_registry: registry.url,
      });

    it.each([
      ['the service', '.', '../later-1.0.0.tgz'],
      ['the repository of a module', '../petstore-coupons', '../later-1.0.0.tgz'],
    ])('in %s', async (_, folder, file) => {
      const { code, stderr } = await install(folder, file);
      expect({ code, stderr, asked: registry.asked() }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /ERESOLVE[^]*Found: @petstore\/platform@1\.\d\.0[^]*peer @petstore\/platform@"\^2\.0\.0" from later@1\.0\.0/,
        ),
        asked: [],
      });
    });

    it('as npm would ask without .npmrc', async () => {
      copy.remove('.npmrc');
      expect((await install('.', '../later-1.0.0.tgz')).code).toBe(1);
      expect(registry.asked()).toEqual(['/@petstore%2fplatform']);
      copy.write('.npmrc', original('.npmrc'));
    });
  });

  it(`works as it is written: ${LAST}`, async () => {
    await follow(LAST);
    expect(copy.read('src/features.ts')).not.toContain('coupons');
  });
});
