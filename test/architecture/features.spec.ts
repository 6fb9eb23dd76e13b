import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import ts from 'typescript';
import { PetStatus } from '../../src/pets/pet-status';
import { PETS_ADMIN } from '../../src/pets/pets.admin';
import { PetsModule } from '../../src/pets/pets.module';
import { PetDto } from '../../src/pets/dto/pet.dto';
import { settingKinds } from '../../src/platform/config/module-setting-kinds';
import { Feature } from '../../src/platform/features/feature.decorator';
import { type Features, recordsOf, settingsOf } from '../../src/platform/features/feature-modules';
import { OperationRegistry } from '../../src/platform/http/operations/operation-registry';
import { withFeatures } from '../support/service/with-features';
import { startTestService, type TestService } from '../support/service/service';
import type * as Herds from './herds/features';

/** Three features, whose lines are in another order than their names. */
const herds = compiled(join(__dirname, 'herds'));

/** `features.ts` of a folder as the build compiles it: SWC, by which Jest compiles, sorts exports by their names. */
function compiled(folder: string): typeof Herds {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2024 };
  const { outputText } = ts.transpileModule(readFileSync(join(folder, 'features.ts'), 'utf8'), {
    compilerOptions,
  });
  const exported = {};
  const load = (path: string) => require(join(folder, path)) as unknown;
  const run = compileFunction(outputText, ['require', 'exports']) as (...args: unknown[]) => void;
  run(load, exported);
  return exported as typeof Herds;
}

const startWith = (more: Readonly<Record<string, unknown>>) =>
  withFeatures(more, () => startTestService('sqlite'));

describe('The lines of features.ts', () => {
  let service: TestService;
  beforeAll(async () => (service = await startWith(herds)));
  afterAll(() => service.stop());

  it('give the features in their order, whatever their names are', () => {
    expect(Object.keys(herds)).toEqual(['ZebrasModule', 'HamstersModule', 'ants']);
  });

  it('give the order of records', () => {
    expect(recordsOf(herds).map(({ name }) => name)).toEqual(['zebras', 'ants']);
  });

  it('give the order in which routes are tried', async () => {
    const paths = service.app.get(OperationRegistry).operations.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/v1/herds/'))).toEqual([
      '/v1/herds/:zebra',
      '/v1/herds/:hamster',
      '/v1/herds/:ant',
    ]);
    expect((await service.fetch('/v1/herds/first')).status).toBe(204);
    expect(service.log()).toContain('"route":"/v1/herds/{zebra}"');
  });
});

/** Declares nothing but middleware. */
@Module({})
class LamasModule implements NestModule {
  static readonly configured = jest.fn();

  configure(consumer: MiddlewareConsumer): void {
    LamasModule.configured(typeof consumer.apply);
  }
}

describe('A line of features.ts', () => {
  it('may export a module that has only configure()', async () => {
    const service = await startWith({ LamasModule });
    await service.stop();
    expect(LamasModule.configured.mock.calls).toEqual([['function']]);
  });
});

describe('The service does not start when features.ts', () => {
  it.each([
    ['an enum', 'PetStatus', PetStatus],
    ['a type, of which nothing is left', 'PetFilter', undefined],
    ['a class that is no module', 'PetDto', PetDto],
    ['a class whose dynamic module was meant', 'AntsModule', herds.ants.module],
    ['a promise', 'later', Promise.resolve(herds.ants)],
  ])('exports %s', async (_what, name, value) => {
    const sentence = `src/features.ts exports ${name}, which is not a Nest module: export a class whose @Module() declares something, or a dynamic module.`;
    await expect(startWith({ [name]: value })).rejects.toThrow(new Error(sentence));
    expect(() => recordsOf({ [name]: value } as unknown as Features)).toThrow(new Error(sentence));
  });

  it('lists two features that call their records the same', async () => {
    @Feature({ admin: PETS_ADMIN })
    @Module({ providers: [] })
    class AnimalsModule {}
    await expect(startWith({ AnimalsModule })).rejects.toThrow(
      new Error('PetsModule and AnimalsModule both declare records named "pets".'),
    );
  });

  it('lacks a feature with records that another one imports', async () => {
    @Module({ imports: [herds.ZebrasModule, PetsModule] })
    class ZoosModule {}
    await expect(startWith({ ZoosModule })).rejects.toThrow(
      new Error(
        'ZebrasModule offers records to operators, but src/features.ts does not list it: add a line that exports it.',
      ),
    );
  });
});

describe('Features cannot declare', () => {
  const declaring = (name: string, ...settings: string[]) => {
    @Feature({
      settings: Object.fromEntries(
        settings.map((setting) => [
          setting,
          {
            kind: settingKinds.boolean(),
            description: '',
            ...(setting.endsWith('KEY') && { secret: true as const }),
          },
        ]),
      ),
    })
    @Module({ providers: [] })
    class Declaring {}
    Object.defineProperty(Declaring, 'name', { value: name });
    return Declaring;
  };

  it.each([
    [
      'a setting of the service',
      { A: declaring('A', 'PORT') },
      'A declares the setting PORT, and PORT is one of the service: choose another name.',
    ],
    [
      'the file of its secret',
      { A: declaring('A', 'REDIS_URL_FILE') },
      'A declares the setting REDIS_URL_FILE, and REDIS_URL_FILE is one of the service: choose another name.',
    ],
    [
      'a setting of another feature',
      { A: declaring('A', 'X_DAYS'), B: declaring('B', 'Y', 'X_DAYS') },
      'B declares the setting X_DAYS, and X_DAYS is one of A: choose another name.',
    ],
    [
      'a secret whose file another feature has',
      { A: declaring('A', 'X_KEY_FILE'), B: declaring('B', 'X_KEY') },
      'B declares the setting X_KEY, and X_KEY_FILE is one of A: choose another name.',
    ],
    [
      'a name that is none of a variable',
      { A: declaring('A', 'perDay') },
      'A declares the setting "perDay": name it in upper case, as in ORDERS_CARRIER_URL.',
    ],
  ])('%s', (_what, features, sentence) => {
    expect(() => settingsOf(features)).toThrow(sentence);
  });
});
