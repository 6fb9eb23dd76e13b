import { logging } from '@angular-devkit/core';
import { NodeWorkflow } from '@angular-devkit/schematics/tools/index.js';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import type { FeatureOptions } from '../feature/render.ts';

/**
 * The files that the schematic for features would write into the project, without its line in `features.ts`.
 *
 * @returns texts by path
 * @throws Refusal as the schematic does
 */
export async function generatedFeature(root: string, options: FeatureOptions): Promise<Map<string, string>> {
  const workflow = new NodeWorkflow(root, { dryRun: true });
  const files = new Map<string, string>();
  workflow.reporter.subscribe((event) => {
    if (event.kind !== 'create') return;
    files.set(event.path.replace(/^\//, ''), Buffer.from(event.content).toString('utf8'));
  });
  const execution = workflow.execute({
    collection: join(import.meta.dirname, '..', '..'),
    schematic: 'feature',
    options,
    logger: new logging.NullLogger(),
  });
  await lastValueFrom(execution, { defaultValue: undefined });
  return files;
}
