import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptsConnections } from '../../support/databases/accepts-connections';
import { makeFolder } from '../../support/folders';
import { freePort } from '../../support/processes/free-port';
import { until } from '../../support/until';
import type { CodeBlock } from './guide-blocks';
import type { BackgroundCommands, ProjectCopy } from './project-copy';

/** The address the page names; another port is used, which may be free where that one is not. */
const WRITTEN_ADDRESS = '127.0.0.1:3000';

/** Does what a page says, block by block: runs commands, saves files, applies changes, compares outputs. */
export class GuideReader {
  private readonly notes = makeFolder();
  private readonly exported = join(this.notes, 'exported.sh');
  private port = 0;
  private background: BackgroundCommands | undefined;
  private output = '';

  constructor(private readonly copy: ProjectCopy) {
    writeFileSync(this.exported, '');
  }

  /** Does what a block says. @throws Error when that does not end as the page says */
  async follow({ language, note, text }: CodeBlock): Promise<void> {
    if (language === 'sh' && note === 'background') return this.startInBackground(text);
    if (language === 'sh') return this.runCommands(text);
    if (language === 'json') return this.compareOutput(text);
    if (language === 'text') return strictEqual(this.output, text);
    if (language === 'diff') return this.applyChanges(text);
    if (language === 'ts' && note !== '') return this.copy.write(note, text);
    throw new Error(`Nothing is known to be done with a block of ${language} ${note}.`);
  }

  /** Ends what was started in another terminal. */
  async endBackground(): Promise<void> {
    await this.background?.end();
    this.background = undefined;
  }

  private async runCommands(text: string): Promise<void> {
    const commands = `source ${this.exported}\n${this.addressed(text)}\nexport -p > ${this.exported}`;
    this.output = await this.copy.succeed(commands);
  }

  private async startInBackground(text: string): Promise<void> {
    this.port = await freePort('127.0.0.1');
    this.background = this.copy.start(`source ${this.exported}; export PORT=${this.port}; ${text}`);
    await until(() => acceptsConnections('127.0.0.1', this.port));
  }

  private compareOutput(text: string): void {
    deepStrictEqual(JSON.parse(this.output), JSON.parse(text));
  }

  private async applyChanges(text: string): Promise<void> {
    const file = join(this.notes, 'changes.diff');
    writeFileSync(file, text);
    await this.copy.succeed(`git apply ${file}`);
  }

  private addressed(text: string): string {
    return text.replaceAll(WRITTEN_ADDRESS, `127.0.0.1:${this.port}`);
  }
}
