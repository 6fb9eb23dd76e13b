import { dirname, extname, isAbsolute, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';
import { calledBeside } from '../../../platform/config/called-as';
import { npmScript } from '../../../platform/config/npm-script';
import { presentation } from '../../../platform/config/presentation';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { Html, html } from '../../../platform/html/html';
import { ConsoleAssets } from './assets.service';
import { ConsoleNavigation } from './navigation';
import type { Notice, ConsolePage } from '../../../platform/features/console-page';
import { uiFor } from '../ui/ui';
import type { ConsoleRequest } from '../http/console-request';

/** Members that every template finds in `it`, besides the data of its page. */
export interface PageContext {
  readonly request: ConsoleRequest;
  readonly requestId: string;
  readonly notice?: Notice | undefined;
}

/** Folder of the console's templates. */
const VIEWS = join(__dirname, '..');

/** Renders pages as HTML with the templates of the console and of modules. */
@Injectable()
export class ConsoleRenderer {
  private readonly eta: Eta;
  private readonly program: string;
  private readonly service = presentation();

  constructor(
    private readonly navigation: ConsoleNavigation,
    private readonly assets: ConsoleAssets,
    @InjectSettings() { nodeEnv }: Settings,
  ) {
    this.program = calledBeside(nodeEnv, npmScript());
    this.eta = new Eta({
      views: VIEWS,
      cache: nodeEnv === 'production',
      autoEscape: true,
      // The result of a helper is HTML already; everything else is text.
      escapeFunction: (value: unknown) => textOf(value),
      // Templates call `ui` for the parts that pages are made of.
      functionHeader: 'const { ui } = it;',
      debug: nodeEnv !== 'production',
    });
    this.eta.resolvePath = (template, options) => fileOf(template, options?.filepath);
  }

  page({ template, content }: ConsolePage, context: PageContext): string {
    const { title, trail = [], form, data } = content;
    return this.eta.render(template, {
      ...data,
      form,
      ...context,
      ui: uiFor(context.request, this.program),
      title,
      trail,
      links: this.navigation.linksFor(context.request),
      asset: (name: string) => this.assets.pathOf(name),
      service: this.service,
    });
  }
}

/**
 * Finds the file of a template: `/frame/layout/page` is one of the console, `./row` one beside the template that includes it,
 * and a whole path with the extension the first one of a module.
 */
function fileOf(template: string, includedBy: string | undefined): string {
  if (isAbsolute(template) && extname(template) === '.eta') return template;
  const folder = includedBy !== undefined && template.startsWith('.') ? dirname(includedBy) : VIEWS;
  return join(folder, `${template}.eta`);
}

/** Renders a value of a template as HTML. @throws Error for an object, which would read "[object Object]" */
function textOf(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') throw new Error('A template shows an object: show one of its members.');
  return html`${`${value as string | number | bigint | boolean}`}`.text;
}
