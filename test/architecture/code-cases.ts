import {
  featuresHaveALineEach,
  featuresImportThePackage,
  filesAreWrittenInOnePlace,
  migrationsAreFlatAndOrdered,
  migrationsMakeTablesOnBothEngines,
  noBarrels,
  oneFunctionWaits,
  thePackageIsForFeatures,
} from './code-rules';
import { longTextsAreIndexedByTheirBeginning } from './entity-rules';
import type { RuleCase } from './rule-case';

const MIGRATIONS = 'src/migrations';

/** The rules about what stands in a file, and where the file stands. */
export const CODE_CASES: Readonly<Record<string, RuleCase>> = {
  'nothing is exported by another file than the one that declares it': {
    rule: noBarrels,
    keeps: {
      'src/features.ts': `export { PetsModule } from './pets/pets.module';`,
      'src/pets/pets.service.ts': `export const from = 'x';\nexport { from as to };`,
      'src/exports/pets.ts': `export { PetsModule } from '../pets/pets.module';`,
      'src/walks/walks.module.ts': `import { PetsModule } from '@petstore/platform/pets';`,
    },
    breaks: {
      'src/auth/auth.module.ts': `import { PetsModule } from '../exports/pets';`,
      'src/pets/index.ts': `export * from './pets.service';`,
      'src/pets/pets.module.ts': `\nexport { PetsService } from './pets.service';`,
    },
    violations: [
      'src/auth/auth.module.ts:1 imports src/exports/pets, which is for features.',
      'src/pets/index.ts:1 is a barrel by its name.',
      'src/pets/index.ts:1 exports what another file declares.',
      'src/pets/pets.module.ts:2 exports what another file declares.',
    ],
  },
  'features.ts has one line a feature': {
    rule: featuresHaveALineEach,
    keeps: {
      'src/features.ts': `
        // The features.
        export { PetsModule } from './pets/pets.module';
        export { mail as MailModule } from './mail/mail.module';`,
    },
    breaks: {
      'src/features.ts': `import './pets/pets.module';
        export { PetsModule, OrdersModule } from './pets/pets.module';
        export * from './pets/pets.module';
        export type { PetFilter } from './pets/pets.repository';
        export { type PetPatch } from './pets/pets.repository';
        export {} from './pets/pets.module';
        export const mail = MailModule.forRoot();`,
    },
    violations: [1, 2, 3, 4, 5, 6, 7].map(
      (line) =>
        `src/features.ts:${line} is no line such as export { PetsModule } from './pets/pets.module';, which lists one feature.`,
    ),
  },
  'a feature imports the package of the platform': {
    rule: featuresImportThePackage,
    keeps: {
      'src/pets/pets.errors.ts': `import { defineError } from '@petstore/platform';`,
      'src/pets/pets.spec.ts': `import { startTestService } from '@petstore/platform/testing';`,
      'src/auth/api-keys.errors.ts': `import { defineError } from '../platform/errors/app-error';`,
    },
    breaks: {
      'src/pets/pets.errors.ts': `import { defineError } from '../platform/errors/app-error';`,
      'src/pets/pets.spec.ts': `import { startTestService } from '../../test/support/service/service';`,
      'src/walks/walks.module.ts': `import { PetsModule } from '../pets/pets.module';`,
    },
    violations: [
      "src/pets/pets.errors.ts:1 imports src/platform/errors/app-error: a feature imports '@petstore/platform'.",
      "src/pets/pets.spec.ts:1 imports test/support/service/service: a feature imports '@petstore/platform'.",
      "src/walks/walks.module.ts:1 imports src/pets/pets.module: a feature imports '@petstore/platform'.",
    ],
  },
  'only features import the package of the platform': {
    rule: thePackageIsForFeatures,
    keeps: {
      'src/pets/pets.errors.ts': `import { defineError } from '@petstore/platform';`,
    },
    breaks: {
      'src/auth/api-keys.errors.ts': `import { defineError } from '@petstore/platform';`,
    },
    violations: ['src/auth/api-keys.errors.ts:1 imports src/platform/exports: the package is for features.'],
  },
  'commands write files in one place': {
    rule: filesAreWrittenInOnePlace,
    keeps: {
      'src/platform/cli/new-file.ts': `import { open, rename } from 'node:fs/promises';`,
      'src/admin/database/backup.ts': `import { mkdirSync, rmSync, statSync } from 'node:fs';`,
      'src/pets/pets.spec.ts': `import { writeFileSync } from 'node:fs';`,
    },
    breaks: {
      'src/admin/database/backup.ts': `import { existsSync, renameSync } from 'node:fs';`,
      'src/pets/report.command.ts': `import { writeFile } from 'node:fs/promises';\nimport * as fs from 'node:fs';`,
    },
    violations: [
      'src/admin/database/backup.ts:1 imports node:fs: NewFile of src/platform/cli/new-file.ts writes the files of commands.',
      'src/pets/report.command.ts:1 imports node:fs/promises: NewFile of src/platform/cli/new-file.ts writes the files of commands.',
      'src/pets/report.command.ts:2 imports node:fs: NewFile of src/platform/cli/new-file.ts writes the files of commands.',
    ],
  },
  'one function waits': {
    rule: oneFunctionWaits,
    keeps: {
      'src/platform/values/wait.ts': `import { setTimeout } from 'node:timers/promises';`,
      'src/pets/pets.service.ts': `import { setImmediate } from 'node:timers/promises';`,
      'src/pets/pets.spec.ts': `import { setTimeout } from 'node:timers/promises';`,
    },
    breaks: {
      'src/pets/pets.service.ts': `import { setTimeout as pause } from 'node:timers/promises';`,
      'src/pets/seed.command.ts': `import * as timers from 'timers/promises';`,
    },
    violations: [
      'src/pets/pets.service.ts:1 imports node:timers/promises: wait() of src/platform/values/wait.ts waits for any time.',
      'src/pets/seed.command.ts:1 imports timers/promises: wait() of src/platform/values/wait.ts waits for any time.',
    ],
  },
  'an index covers the beginning of a text that clients write': {
    rule: longTextsAreIndexedByTheirBeginning,
    keeps: {
      'src/pets/pet.entity.ts': `
        @Index('idx_pets_status_id', ['status', 'id'])
        @Index('uq_pets_tag', ['tag'], { unique: true })
        @Index('idx_pets_owner_id_name_id', ['ownerId', 'name'], { synchronize: false })
        @Check('chk_pets_tag', \`length("tag_number") <= 30\`)
        class Pet {
          @TextColumn({ name: 'tag_number' }) tag: string;
          @TextColumn() status: PetStatus | null;
          @Index('idx_pets_name_id', { synchronize: false }) @TextColumn() name: string;
          @TextColumn() note: string;
        }`,
      'src/auth/api-key.entity.ts': `@Index('idx_keys_hash', ['hash']) class ApiKey { @TextColumn() hash: string; }`,
      'src/shops/shop.entity.ts': `@Entity() class Shop {
        @PrimaryGeneratedColumn() id: number;
        @Column({ unique: true }) name: string;
        @ManyToOne(() => Owner) owner: Owner;
      }`,
    },
    breaks: {
      'src/pets/pet.entity.ts': `@Index('idx_pets_name_id', ['name', 'id'])
        @Unique('uq_pets_note', ['note'])
        class Pet {
          @TextColumn() name: string;
          @TextColumn({ nullable: true }) note: string | null;
          @Index('idx_pets_owner')
          @TextColumn() owner: string;
        }`,
    },
    violations: [
      'src/pets/pet.entity.ts:1 has an index or constraint on the whole text name: see "An index on a text" in docs/schema-changes.md.',
      'src/pets/pet.entity.ts:2 has an index or constraint on the whole text note: see "An index on a text" in docs/schema-changes.md.',
      'src/pets/pet.entity.ts:6 has an index or constraint on the whole text owner: see "An index on a text" in docs/schema-changes.md.',
    ],
  },
  'migrations are one flat folder in the order of time': {
    rule: migrationsAreFlatAndOrdered,
    keeps: {
      [`${MIGRATIONS}/1763700000000-create-pets.ts`]: 'export class CreatePets1763700000000 {}',
      [`${MIGRATIONS}/1763700000001-add-2-names.ts`]: 'export class Add2Names1763700000001 {}',
      [`${MIGRATIONS}/1763700000002-AddShops.ts`]: 'export class AddShops1763700000002 {}',
    },
    breaks: {
      [`${MIGRATIONS}/1763700000000-create-pets.ts`]: 'export class CreatePets1763700000000 {}',
      [`${MIGRATIONS}/1763700000000-create-tags.ts`]: 'export class CreateTags1763700000000 {}',
      [`${MIGRATIONS}/1763700000002-add-names.ts`]: '\nexport class AddNames {}',
      [`${MIGRATIONS}/orders/1763700000003-add-orders.ts`]: 'export class AddOrders1763700000003 {}',
      [`${MIGRATIONS}/add-orders.ts`]: 'export class AddOrders {}',
    },
    violations: [
      `${MIGRATIONS}/1763700000000-create-tags.ts:1 has the time of another migration.`,
      `${MIGRATIONS}/1763700000002-add-names.ts:2 must declare the one class AddNames1763700000002.`,
      `${MIGRATIONS}/add-orders.ts:1 is not named <13 digits>-<name>.ts, directly in the folder of the migrations: npm run typeorm -- migration:create ${MIGRATIONS}/AddShops makes one.`,
      `${MIGRATIONS}/orders/1763700000003-add-orders.ts:1 is not named <13 digits>-<name>.ts, directly in the folder of the migrations: npm run typeorm -- migration:create ${MIGRATIONS}/AddShops makes one.`,
    ],
  },
  'migrations make tables on both engines': {
    rule: migrationsMakeTablesOnBothEngines,
    keeps: {
      [`${MIGRATIONS}/1763700000000-create-pets.ts`]: `// CREATE TABLE
        queryRunner.createTable(new Table({ name: 'pets' }));
        queryRunner.query('ALTER TABLE "pets" ADD "tag" text');`,
      'src/pets/pets.spec.ts': `dataSource.query('CREATE TABLE x');`,
    },
    breaks: {
      [`${MIGRATIONS}/1763700000000-AddShops.ts`]: `
        await queryRunner.query(\`CREATE TABLE "shops" ("id" SERIAL NOT NULL)\`);
        await queryRunner.query('create table "sales" ("id" integer PRIMARY KEY AUTOINCREMENT)');
        await queryRunner.query(\`CREATE TABLE \${name} ("id" integer)\`);`,
    },
    violations: [2, 3, 4].map(
      (line) =>
        `${MIGRATIONS}/1763700000000-AddShops.ts:${line} makes a table in the SQL of one engine: write queryRunner.createTable(new Table({ ... })), as npm run typeorm -- migration:generate does.`,
    ),
  },
};
