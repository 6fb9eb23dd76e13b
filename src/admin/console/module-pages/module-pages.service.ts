import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { consolePageOf } from '../../../platform/features/console-controller.decorator';
import { OperationRegistry } from '../../../platform/http/operations/operation-registry';
import { ConsoleNavigation } from '../frame/navigation';

/** Position of the pages in the navigation, after the records; among themselves they have the order of the features. */
const NAVIGATION_ORDER = 15;

/** The pages that modules add to the console. */
@Injectable()
export class ModulePages {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly operations: OperationRegistry,
    private readonly navigation: ConsoleNavigation,
  ) {}

  /**
   * Adds the pages of all modules to the navigation.
   *
   * @param own the modules of the console itself
   * @throws Error naming a handler that changes something and does not say who may, or a page that the navigation cannot lead to
   */
  add(own: ReadonlySet<Type>): void {
    for (const { metatype, controllers } of this.modules.values()) {
      if (own.has(metatype)) continue;
      for (const controller of controllers.values()) this.addPage(controller.metatype as Type);
    }
  }

  private addPage(controller: Type): void {
    const page = consolePageOf(controller);
    if (!page) return;
    const operations = this.operations.of('management').filter((each) => each.controller === controller);
    for (const { method, path, handlerName, consoleScopes } of operations) {
      if (method === 'GET' || consoleScopes.length > 0) continue;
      throw new Error(
        `${method} ${path} (${handlerName}) changes something and must have @ConsoleScopes('admin:...'), which says who may send the form.`,
      );
    }
    if (!page.entry) return;
    if (page.path.includes(':')) {
      throw new Error(
        `${controller.name} has a line in the navigation, which cannot lead to ${page.path}: leave out the line, or the parameter.`,
      );
    }
    const { title, icon = 'box' } = page.entry;
    const shown = operations.find(({ method, path }) => method === 'GET' && path === page.path);
    this.navigation.add({
      title,
      path: page.path,
      icon,
      order: NAVIGATION_ORDER,
      scopes: shown?.consoleScopes ?? [],
    });
  }
}
