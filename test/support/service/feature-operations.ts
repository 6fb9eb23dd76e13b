import { ModulesContainer } from '@nestjs/core';
import { type Features, featureModules } from '../../../src/platform/features/feature-modules';
import { OperationRegistry } from '../../../src/platform/http/operations/operation-registry';
import { operationsOf, type ServedDocument, type ServedOperation } from './served-document';
import type { TestService } from './service';

/** The names of the classes of feature modules. */
export function featureNames(features: Features): string[] {
  const classes = featureModules(features).map((feature) => ('module' in feature ? feature.module : feature));
  return [...new Set(classes.map(({ name }) => name))];
}

/**
 * The operations of a feature: of its controllers, and of those of modules that it imports and that are no features.
 *
 * @param name of the class of its module
 * @param features the names of all of them
 */
export function operationsOfFeature(
  { app }: TestService,
  document: ServedDocument,
  name: string,
  features: readonly string[],
): ServedOperation[] {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = new Set<string>();
  const visited = new Set<(typeof modules)[number]>();
  const visit = (module: (typeof modules)[number]) => {
    if (visited.has(module)) return;
    visited.add(module);
    for (const { name: controller } of module.controllers.values()) controllers.add(String(controller));
    for (const imported of module.imports) if (!features.includes(imported.name)) visit(imported);
  };
  modules.filter((module) => module.name === name).forEach(visit);
  const own = new Set(
    app
      .get(OperationRegistry)
      .operations.filter(({ handlerName }) => controllers.has(handlerName.split('.')[0] ?? ''))
      .map(({ id }) => id),
  );
  return operationsOf(document).filter(({ operationId }) => own.has(operationId));
}
