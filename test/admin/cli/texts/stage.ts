import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataSource } from '../../../../src/platform/database/driver/data-source';
import { StoredEvent } from '../../../../src/platform/events/stored-event.entity';
import { StoredRun } from '../../../../src/platform/jobs/stored-run.entity';
import type { TestDatabase } from '../../../support/databases/databases';
import { databaseSettings } from '../../../support/databases/sample-database';
import type { CommandResult } from '../../../support/processes/command';
import { csvOf } from '../../support/pet-transfers';
import { FAILED_EVENT, WAITING_EVENT } from '../../../support/service/failed-event';
import { FAILED_RUN, RUNNING_RUN } from '../../../support/service/stored-run';
import type { CliInProcess } from '../../../cli/support/cli-in-process';
import { doctor, freePorts } from '../support/doctor';

/** A command, and the sentences that it prints, in which `…` stands for a value. */
export type Said = readonly [command: string, ...sentences: string[]];

/** Files that commands of the table read. */
const FILES = {
  'odd.csv': 'name,colour\n',
  'odd.txt': '',
  'bad.csv': 'name,categoryId\nRex,1\nRex,x\n',
  'fixable.csv': 'name,categoryId\nMia,1\nMia,x\n',
  'nameless.csv': 'name,categoryId\n,61\n',
  'rest.csv': 'name,categoryId\n,61\n',
};

const HELD = { lockedBy: 'a process', lockedUntil: WAITING_EVENT.dueAt };

/** A database, and what the commands of the table are about: `<pet>` in a command is the id of a new pet. */
export class Stage {
  private made = 0;
  private examined: ReturnType<typeof doctor> | undefined;

  constructor(
    private readonly cli: CliInProcess,
    private readonly database: TestDatabase,
  ) {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cli.folder, name), text);
  }

  /** Runs a command of the table. */
  async run(command: string): Promise<CommandResult> {
    return this.cli.run(...(await this.words(command)));
  }

  /** Examines the service, once. */
  doctor(): ReturnType<typeof doctor> {
    return (this.examined ??= freePorts().then((ports) => doctor(this.cli.with(ports))));
  }

  /** Answers a question of a command with no. */
  async decline(command: string): Promise<CommandResult> {
    return this.cli.process.runOnTerminal(await this.words(command), 'n\n', 200);
  }

  /** The words of a command, with what its placeholders stand for. */
  private async words(command: string): Promise<string[]> {
    const words: string[] = [];
    for (const [, quoted, bare = ''] of command.matchAll(/'([^']*)'|(\S+)/g)) {
      const [placeholder, thing = ''] = /<(\w+)>/.exec(bare) ?? [];
      words.push(quoted ?? (placeholder ? bare.replace(placeholder, await this.make(thing)) : bare));
    }
    return words;
  }

  private async make(thing: string): Promise<string> {
    const number = (this.made += 1);
    switch (thing) {
      case 'pet':
        return this.pet('Rex');
      case 'removed': {
        const id = await this.pet('Rex');
        await this.cli.json('pets', 'remove', id, '--yes');
        return id;
      }
      case 'three':
        for (let i = 0; i < 3; i++) await this.pet(`trio-${number}`);
        return `trio-${number}`;
      case 'change': {
        const words = ['pets', 'update-all', '--id', await this.pet('Rex'), '--set-status', 'sold', '--yes'];
        return String((await this.cli.json<{ change: number }>(...words)).change);
      }
      case 'key':
        return (await this.key('pets:read')).id;
      case 'manager':
        return (await this.key('admin:read,admin:keys')).id;
      case 'token':
        return (await this.key('pets:read')).key;
      case 'csv':
        writeFileSync(join(this.cli.folder, `${number}.csv`), csvOf(`row-${number}`, 3));
        return `${number}.csv`;
      case 'import':
        return String((await this.cli.json<{ run: number }>('pets', 'import', await this.make('csv'))).run);
      case 'event':
        return this.store(StoredEvent, FAILED_EVENT);
      case 'running':
        return this.store(StoredEvent, { ...WAITING_EVENT, ...HELD });
      case 'run':
        return this.store(StoredRun, { ...FAILED_RUN, state: 'waiting' });
      case 'taken':
        return this.store(StoredRun, { ...FAILED_RUN, ...RUNNING_RUN });
      default:
        throw new Error(`Nothing is called <${thing}>.`);
    }
  }

  private async pet(name: string): Promise<string> {
    const words = ['pets', 'create', '--name', name, '--category-id', '1'];
    return String((await this.cli.json<{ id: number }>(...words)).id);
  }

  private key(scope: string): Promise<{ id: string; key: string }> {
    return this.cli.json('keys', 'create', '--name', 'shop', '--scopes', scope);
  }

  private async store(entity: typeof StoredEvent | typeof StoredRun, values: object): Promise<string> {
    const dataSource = await createDataSource(databaseSettings(this.database.url)).initialize();
    try {
      const { identifiers } = await dataSource.getRepository<{ id: bigint }>(entity).insert(values);
      return String(identifiers[0]?.id);
    } finally {
      await dataSource.destroy();
    }
  }
}
