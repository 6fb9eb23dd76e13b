import {
  apply,
  applyTemplates,
  callSource,
  type SchematicContext,
  type Source,
  url,
} from '@angular-devkit/schematics';
import { lastValueFrom } from 'rxjs';
import { featureCode } from './feature-code.ts';
import { featureImports } from './feature-imports.ts';
import type { FeatureModel } from './model.ts';
import { specCode } from './spec-code.ts';
import { capitalized } from '../text/spelling.ts';

/** Path from the folder of the schematic that runs, which is this one or one beside it. */
const FILES = '../feature/files';

/**
 * Renders the templates: those of `files/feature` once, those of `files/owned` for each array of objects, those of
 * `files/links` for each array of links, those of `files/enum` for each enum. A file that is empty afterwards is left out.
 *
 * @returns texts by path, sorted by path
 */
export async function renderTemplates(
  model: FeatureModel,
  context: SchematicContext,
): Promise<Map<string, string>> {
  const code = featureCode(model);
  const spec = specCode(code, model);
  const common = {
    isBelow: false,
    isShipped: false,
    ...model,
    ...code,
    ...spec,
    imports: featureImports(model, code, spec),
    capitalized,
    folder: model.plural.kebab,
    file: model.singular.kebab,
  };
  const sources = [
    apply(url(`${FILES}/feature`), [applyTemplates(common)]),
    ...code.owned.map((owned) =>
      apply(url(`${FILES}/${owned.isLinks ? 'links' : 'owned'}`), [
        applyTemplates({ ...common, owned, itemFile: owned.item.singular.kebab }),
      ]),
    ),
    ...[...code.enums, ...code.owned.flatMap(({ enums }) => enums)].map((field) =>
      apply(url(`${FILES}/enum`), [applyTemplates({ ...common, enumFile: field.enum?.file, field })]),
    ),
  ];
  const files: [path: string, text: string][] = [];
  for (const source of sources) files.push(...(await textsOf(source, context)));
  return new Map(files.filter(([, text]) => text.trim() !== '').sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function textsOf(source: Source, context: SchematicContext): Promise<[path: string, text: string][]> {
  const tree = await lastValueFrom(callSource(source, context));
  const texts: [path: string, text: string][] = [];
  tree.visit((path) => texts.push([path.slice(1), tree.readText(path)]));
  return texts;
}
