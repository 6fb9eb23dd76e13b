import { join } from 'node:path';
import { AdminModule } from '../../src/admin/admin.module';
import { DistributionModule } from '../../src/admin/database/distribution/distribution.module';
import { DistributionService } from '../../src/admin/database/distribution/distribution.service';
import { ConsolePagesModule } from '../../src/admin/console/console-pages.module';
import { OidcModule } from '../../src/admin/console/oidc/oidc.module';
import { IdentityProvider } from '../../src/admin/console/sessions/identity-provider';
import { openConsole } from '../support/service/console';
import { startTestService } from '../support/service/service';
import { isProduction } from '../architecture/import-rules';
import { parseSourceFiles, readSourceFiles, type SourceFile } from '../architecture/source-files';

/** A part that the service does without. */
interface OptionalPart {
  /** Beginnings of the paths of its files. */
  readonly files: readonly string[];
  /** Files that put the application together, each with one line that brings the part in. */
  readonly doors: readonly string[];
  /** Files that import it besides, each with the reason. The fewer the better: what no longer does has to go. */
  readonly others?: Readonly<Record<string, string>>;
}

const DRAWS = 'the page draws with it: charts are a library of pages, not a part that can be left out';

const PARTS: Readonly<Record<string, OptionalPart>> = {
  'the admin tooling': {
    files: ['src/admin/'],
    doors: ['src/tooling.ts'],
  },
  'tables on several machines': {
    files: ['src/admin/database/distribution/'],
    doors: ['src/admin/admin.module.ts', 'src/admin/tooling.ts'],
    others: {
      'src/admin/doctor/checks.ts': 'petstore doctor asks the workers without the application',
    },
  },
  'sign-in with accounts (OIDC)': {
    files: ['src/admin/console/oidc/'],
    doors: ['src/admin/console/console-pages.module.ts'],
  },
  'saved views': {
    files: ['src/admin/console/records/views/'],
    doors: [],
    others: {
      'src/admin/console/records/record-list.controller.ts': 'the list shows its views above itself',
      'src/admin/console/records/record-pages.module.ts': 'its controller is one of the pages about records',
    },
  },
  charts: {
    files: ['src/admin/console/charts/'],
    doors: [],
    others: {
      'src/admin/console/keys/keys.controller.ts': DRAWS,
      'src/admin/console/overview/overview-charts.ts': DRAWS,
      'src/admin/console/overview/overview.controller.ts': DRAWS,
      'src/admin/console/reports/reports.controller.ts': DRAWS,
      'src/admin/console/requests/refusals.ts': DRAWS,
      'src/admin/console/requests/waterfall.ts': DRAWS,
    },
  },
};

/** The imports of a part by files outside it, as `<file> <imported file>`; those of types by doors are left out. */
function importsOf(part: OptionalPart, files: readonly SourceFile[]): string[] {
  const isOwn = (path: string) => part.files.some((start) => path.startsWith(start));
  return files
    .filter((file) => isProduction(file) && !isOwn(file.path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target, isPackage }) => !isPackage && isOwn(target))
        .filter(({ isTypeOnly }) => !(isTypeOnly && part.doors.includes(path)))
        .map(({ target }) => `${path} ${target}`),
    );
}

/** The files that import it, once for each import where they are doors: those have one line. */
function importersOf(part: OptionalPart, files: readonly SourceFile[]): string[] {
  const importers = importsOf(part, files).map((line) => line.split(' ')[0] as string);
  const others = new Set(importers.filter((path) => !part.doors.includes(path)));
  return [...importers.filter((path) => part.doors.includes(path)), ...others].sort();
}

const project = readSourceFiles(join(__dirname, '..', '..'), ['src']);

describe.each(Object.entries(PARTS))('An optional part: %s', (_title, part) => {
  it('has its files where the table says', () => {
    expect(part.files.filter((start) => !project.some(({ path }) => path.startsWith(start)))).toEqual([]);
  });

  it('is imported by one line of each of its doors, and by files that the table gives a reason for', () => {
    expect(importersOf(part, project)).toEqual([...part.doors, ...Object.keys(part.others ?? {})].sort());
  });
});

describe('The rule about the doors of optional parts', () => {
  const part = { files: ['src/admin/database/distribution/'], doors: ['src/create-cli.ts'] };

  it('finds another file that imports a part, and a second import in a door', () => {
    const files = parseSourceFiles({
      'src/admin/database/distribution/distribute.command.ts': "import { a } from './tables';",
      'src/create-cli.ts':
        "await import('./admin/database/distribution/distribute.command.js'); await import('./admin/database/distribution/tables.js');",
      'src/auth/auth.module.ts': "import type { Table } from '../admin/database/distribution/tables';",
      'src/auth/auth.spec.ts': "import { Table } from '../admin/database/distribution/tables';",
    });
    expect(importersOf(part, files)).toEqual([
      'src/auth/auth.module.ts',
      'src/create-cli.ts',
      'src/create-cli.ts',
    ]);
  });
});

describe('The service starts and serves without an optional part', () => {
  it.each([
    ['tables on several machines', AdminModule, DistributionModule, DistributionService],
    ['sign-in with accounts (OIDC)', ConsolePagesModule, OidcModule, IdentityProvider],
  ])(
    'once its line in the module that is its door is removed: %s',
    async (_title, door, module, provider) => {
      const imports = Reflect.getMetadata('imports', door) as object[];
      expect(imports).toContain(module);
      const others = imports.filter((each) => each !== module);
      Reflect.defineMetadata('imports', others, door);
      const service = await startTestService('sqlite').finally(() =>
        Reflect.defineMetadata('imports', imports, door),
      );
      try {
        expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
        const browser = await openConsole(service, service.key);
        expect((await browser.get('/admin/keys')).status).toBe(200);
        expect(() => service.app.get<unknown>(provider)).toThrow('could not find');
      } finally {
        await service.stop();
      }
    },
  );
});
