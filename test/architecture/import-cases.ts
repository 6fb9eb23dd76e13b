import { dependencies } from '../../package.json';
import { dependencies as mcpDependencies } from '../../packages/mcp/package.json';
import {
  commandsLoadWhatTheyNeed,
  consoleKnowsNoCommandLine,
  controllersReturnNoEntities,
  coreTestsKnowNoTooling,
  featuresMeetAtTheirFace,
  onlyDataCodeUsesTypeorm,
  packagesAreDependencies,
  packageStandsAlone,
  platformKnowsNoFeature,
  productionKnowsNoTests,
  specsNeedOnlyNpm,
} from './import-rules';
import type { RuleCase } from './rule-case';

const ONLY_DATA_CODE =
  'only repositories, services, modules, entities, subscribers, migrations and the folders about the database do.';

/** The rules about who imports what. */
export const IMPORT_CASES: Readonly<Record<string, RuleCase>> = {
  'the platform imports no feature': {
    rule: platformKnowsNoFeature,
    keeps: {
      'src/platform/http/a.ts': `import { b } from '../errors/b';\nimport { Module } from '@nestjs/common';`,
      'src/platform/http/a.spec.ts': `import { service } from '../../../test/support/service/service';`,
      'src/pets/pets.module.ts': `import { a } from '../platform/http/a';`,
    },
    breaks: {
      'src/platform/http/a.ts': `import type { Pet } from '../../pets/pet.entity';`,
      'src/platform/http/b.ts': `const pets = require('../../pets/pets.service');`,
      'src/platform/http/c.ts': `import { createApp } from '../../create-app';`,
      'src/platform/http/c.spec.ts': `import { PetsService } from '../../pets/pets.service';`,
    },
    violations: [
      'src/platform/http/a.ts:1 imports src/pets/pet.entity: the platform knows no feature.',
      'src/platform/http/b.ts:1 imports src/pets/pets.service: the platform knows no feature.',
      'src/platform/http/c.spec.ts:1 imports src/pets/pets.service: the platform knows no feature.',
      'src/platform/http/c.ts:1 imports src/create-app: the platform knows no feature.',
    ],
  },
  'npm test starts only what npm has installed': {
    rule: specsNeedOnlyNpm,
    keeps: {
      'src/auth/keys.spec.ts': `import { until } from '../../test/support/until';`,
      'test/nodes/shared.nodes.ts': `import { RedisServer } from '../support/databases/redis-server';`,
    },
    breaks: {
      'src/auth/keys.spec.ts': `import { RedisServer } from '../../test/support/databases/redis-server';`,
      'test/cli/keys.commands.ts': `\nimport { ListeningProgram } from '../support/processes/listening-program';`,
    },
    violations: [
      'src/auth/keys.spec.ts:1 imports test/support/databases/redis-server: npm test starts only what npm has installed.',
      'test/cli/keys.commands.ts:2 imports test/support/processes/listening-program: npm test starts only what npm has installed.',
    ],
  },
  'tests of the core do without the admin tooling': {
    rule: coreTestsKnowNoTooling,
    keeps: {
      'src/admin/records/records.spec.ts': `import { RecordsService } from './records.service';`,
      'src/tooling.ts': `const load = () => import('./admin/tooling.js');`,
      'test/admin/cli/jobs.commands.ts': `
        import { JobsService } from '../../../src/admin/jobs/jobs.service';
        import { CliInProcess } from '../../cli/support/cli-in-process';`,
      'test/contract/metrics.spec.ts': `import { TOOLING } from '../../src/tooling';`,
    },
    breaks: {
      'packages/mcp/test/mcp.spec.ts': `import { PetTransfers } from '../../../test/admin/support/pet-transfers.ts';`,
      'src/auth/keys.spec.ts': `import type { RecordsService } from '../admin/records/records.service';`,
      'src/pets/pets.samples.ts': `const { records } = require('../admin/records/records.service');`,
      'test/support/service/held-of.ts': `import { HeldService } from '../../../src/admin/records/erasure/held.service';`,
    },
    violations: [
      'packages/mcp/test/mcp.spec.ts:1 imports test/admin/support/pet-transfers: tests of the admin tooling are beside it, in src/admin or in test/admin.',
      'src/auth/keys.spec.ts:1 imports src/admin/records/records.service: tests of the admin tooling are beside it, in src/admin or in test/admin.',
      'src/pets/pets.samples.ts:1 imports src/admin/records/records.service: tests of the admin tooling are beside it, in src/admin or in test/admin.',
      'test/support/service/held-of.ts:1 imports src/admin/records/erasure/held.service: tests of the admin tooling are beside it, in src/admin or in test/admin.',
    ],
  },
  'the service imports neither tests nor their samples': {
    rule: productionKnowsNoTests,
    keeps: {
      'src/orders/orders.samples.ts': `import type { ModuleSamples } from '../../test/support/samples/module-samples';`,
      'src/orders/orders.spec.ts': `import { samples } from './orders.samples';`,
    },
    breaks: {
      'src/orders/orders.seed.ts': `import { samples } from './orders.samples';`,
      'src/orders/orders.service.ts': `import { addSample } from '../../test/support/samples/samples';`,
    },
    violations: [
      'src/orders/orders.seed.ts:1 imports src/orders/orders.samples: it is not built with the service.',
      'src/orders/orders.service.ts:1 imports test/support/samples/samples: it is not built with the service.',
    ],
  },
  'features meet at their module, services, errors, events and DTOs': {
    rule: featuresMeetAtTheirFace,
    keeps: {
      'src/orders/orders.service.ts': `
        import { PetsService } from '../pets/pets.service';
        import { PetNotFoundError } from '../pets/pets.errors';
        import { PetCreated } from '../pets/pets.events';
        import type { PetDto } from '../pets/dto/pet.dto';
        import { OrdersRepository } from './orders.repository';`,
      'src/orders/orders.module.ts': `import { PetsModule } from '../pets/pets.module';`,
      'src/features.ts': `export { PetsModule } from './pets/pets.module';`,
      'src/cli.ts': `import { SeedCommand } from './pets/seed.command';`,
      'src/tooling.ts': `const load = () => import('./admin/tooling.js');`,
    },
    breaks: {
      'src/app.module.ts': `import { PetsController } from './pets/pets.controller';`,
      'src/orders/orders.service.ts': `\nimport { PetsRepository } from '../pets/pets.repository';`,
      'src/orders/seed.command.ts': `import { SeedCommand } from '../pets/seed.command';`,
    },
    violations: [
      'src/app.module.ts:1 imports src/pets/pets.controller: another feature is reached through its module, services, errors, events and DTOs.',
      'src/orders/orders.service.ts:2 imports src/pets/pets.repository: another feature is reached through its module, services, errors, events and DTOs.',
      'src/orders/seed.command.ts:1 imports src/pets/seed.command: another feature is reached through its module, services, errors, events and DTOs.',
    ],
  },
  'the console knows nothing of the command line': {
    rule: consoleKnowsNoCommandLine,
    keeps: {
      'src/admin/console/reports/a.ts': `import { parseDay } from '../../../platform/values/written-values';`,
      'src/admin/reports/a.command.ts': `import { Option } from 'commander';`,
    },
    breaks: {
      'src/admin/console/reports/a.ts': `import { InvalidArgumentError } from 'commander';`,
      'src/admin/console/reports/b.ts': `const values = require('../../../platform/cli/option-values');`,
      'src/admin/console/records/c.ts': `import { flagOf } from '../../records/commands/field-options';`,
    },
    violations: [
      'src/admin/console/records/c.ts:1 imports src/admin/records/commands/field-options: the console knows nothing of the command line.',
      'src/admin/console/reports/a.ts:1 imports commander: the console knows nothing of the command line.',
      'src/admin/console/reports/b.ts:1 imports src/platform/cli/option-values: the console knows nothing of the command line.',
    ],
  },
  'only code about data uses TypeORM': {
    rule: onlyDataCodeUsesTypeorm,
    keeps: {
      'src/pets/pets.repository.ts': `import type { EntityManager } from 'typeorm';`,
      'src/pets/pet.entity.ts': `import { Entity } from 'typeorm';`,
      'src/shops/shops.service.ts': `import { DataSource } from 'typeorm';`,
      'src/shops/shops.module.ts': `import { DataSource } from 'typeorm';`,
      'src/platform/database/driver/open.ts': `import { Pool } from 'pg';`,
      'src/process/start-service.ts': `import type { DataSource } from 'typeorm';`,
      'src/pets/pets.spec.ts': `import { DataSource } from 'typeorm';`,
    },
    breaks: {
      'src/pets/pets.service.ts': `import { Pool } from 'pg';`,
      'src/pets/dto/pet.dto.ts': `import { In } from 'typeorm';`,
      'src/pets/pets.controller.ts': `import type { Repository } from 'typeorm/browser';`,
      'src/process/start-service.ts': `import { DataSource } from 'typeorm';`,
      'src/platform/http/a.ts': `import Database from 'better-sqlite3';`,
    },
    violations: [
      `src/pets/dto/pet.dto.ts:1 imports typeorm: ${ONLY_DATA_CODE}`,
      `src/pets/pets.controller.ts:1 imports typeorm/browser: ${ONLY_DATA_CODE}`,
      `src/pets/pets.service.ts:1 imports pg: ${ONLY_DATA_CODE}`,
      `src/platform/http/a.ts:1 imports better-sqlite3: ${ONLY_DATA_CODE}`,
      `src/process/start-service.ts:1 imports typeorm: ${ONLY_DATA_CODE}`,
    ],
  },
  'the service imports its own dependencies only': {
    rule: packagesAreDependencies(dependencies),
    keeps: {
      'src/main.ts': `import 'reflect-metadata'; import { once } from 'node:events';`,
      'src/pets/pets.module.ts': `import { Module } from '@nestjs/common';`,
      'src/pets/pets.spec.ts': `import fc from 'fast-check';`,
    },
    breaks: {
      'src/main.ts': `import fc from 'fast-check';`,
      'src/pets/pets.module.ts': `import { internal } from '@nestjs/testing/internal';`,
    },
    violations: [
      'src/main.ts:1 imports fast-check: it is not among the dependencies in package.json.',
      'src/pets/pets.module.ts:1 imports @nestjs/testing/internal: it is not among the dependencies in package.json.',
    ],
  },
  'a package is installed without the service': {
    rule: packageStandsAlone('packages/mcp/src/', mcpDependencies),
    keeps: {
      'packages/mcp/src/a.ts': `import { readFile } from 'node:fs/promises';\nimport { b } from './b.ts';`,
      'packages/mcp/src/b.ts': `import { Server } from '@modelcontextprotocol/server';`,
      'packages/mcp/test/a.spec.ts': `import { until } from '../../../test/support/until';`,
    },
    breaks: {
      'packages/mcp/src/a.ts': `import type { INestApplication } from '@nestjs/common';`,
      'packages/mcp/src/b.ts': `import { exactJson } from '../../../src/platform/values/exact-json';`,
      'packages/mcp/src/c.ts': `const typeorm = await import('typeorm');`,
    },
    violations: [
      'packages/mcp/src/a.ts:1 imports @nestjs/common: the package is installed without the service.',
      'packages/mcp/src/b.ts:1 imports src/platform/values/exact-json: the package is installed without the service.',
      'packages/mcp/src/c.ts:1 imports typeorm: the package is installed without the service.',
    ],
  },
  'controllers return no entities': {
    rule: controllersReturnNoEntities,
    keeps: {
      'src/pets/pets.controller.ts': `import { PetDto } from './dto/pet.dto';`,
      'src/pets/pets.service.ts': `import type { Pet } from './pet.entity';`,
    },
    breaks: {
      'src/pets/pets.controller.ts': `import type { Pet } from './pet.entity';`,
      'src/pets/dto/pet.dto.ts': `import { Pet } from '../pet.entity';`,
    },
    violations: [
      'src/pets/dto/pet.dto.ts:1 imports src/pets/pet.entity: controllers return DTOs.',
      'src/pets/pets.controller.ts:1 imports src/pets/pet.entity: controllers return DTOs.',
    ],
  },
  'a command loads what it needs': {
    rule: commandsLoadWhatTheyNeed,
    keeps: {
      'src/cli.ts': `import { join } from 'node:path';\nimport type { DataSource } from 'typeorm';\nconst cli = await import('./create-cli.js');`,
      'src/create-cli.ts': `import { Command } from 'commander';\nconst app = await import('./process/command-app.js');`,
      'src/process/command-app.ts': `import { NestFactory } from '@nestjs/core';\nimport { AppModule } from './app.module';`,
      'src/app.module.ts': `const pages = await import('./admin/console/console-pages.module.js');`,
      'src/platform/cli/output.ts': `const widthOf = (text) => require('string-width').default(text);`,
    },
    breaks: {
      'src/platform/cli/output.ts': `const stringWidth = require('string-width');`,
      'src/create-cli.ts': `import { keyCommands } from './auth/keys.command';`,
      'src/auth/keys.command.ts': `import { Injectable } from '@nestjs/common';`,
      'src/process/command-app.ts': `import { AppModule } from '../app.module';`,
      'src/app.module.ts': `\nimport { ConsolePagesModule } from './admin/console/console-pages.module';`,
    },
    violations: [
      'src/auth/keys.command.ts:1 imports @nestjs/common: what comes with src/create-cli is paid for by each command.',
      'src/platform/cli/output.ts:1 imports string-width: what comes with src/platform/cli/output is paid for by each command.',
      'src/app.module.ts:2 imports src/admin/console/console-pages.module: what comes with src/process/command-app is paid for by each command.',
    ],
  },
};
