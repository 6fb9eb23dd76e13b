import { type INestApplication, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { presentation } from '../config/presentation';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { ErrorDto } from '../errors/error.dto';
import { ServiceAddress } from '../values/service-address';
import { featureOptions } from '../features/feature.decorator';
import { OperationRegistry } from '../http/operations/operation-registry';
import { ServedDocument } from '../http/response/served-document';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { SECURITY_SCHEME } from '../security/access.decorators';
import { documentRules } from './document-rules';
import { finishDocument, undescribed } from './finish-document';
import { guideSections, LICENCE_ANCHOR, type GuideSection } from './guide';
import { openapi31 } from './openapi-31';

/** Root of the addresses in the guide's examples, for which a page that is sent has that of its reader. */
export const EXAMPLE_ROOT = 'https://api.example.com';

/** The OpenAPI document of the running service, built once, and the guide that belongs to it. */
@Injectable()
export class ApiDocument extends ServedDocument {
  private built: OpenAPIObject | undefined;

  constructor(
    private readonly registry: OperationRegistry,
    private readonly modules: ModulesContainer,
    private readonly address: ServiceAddress,
    @InjectSettings() private readonly settings: Settings,
    @InjectLogger() private readonly logger: Logger,
  ) {
    super();
  }

  get document(): OpenAPIObject {
    if (!this.built) throw new Error('The document has not been built yet.');
    return this.built;
  }

  /** Returns the same document in OpenAPI 3.1, with the scopes that operations need. */
  get document31(): OpenAPIObject {
    const scopes = new Map(this.registry.operations.map((operation) => [operation.id, operation.scopes]));
    return openapi31(this.document, (operationId) => scopes.get(operationId) ?? []);
  }

  /** Sections of the guide; the document has them in brief. */
  get sections(): GuideSection[] {
    const { deprecatedOperations, rateLimitPerMinute } = this.settings;
    return guideSections({
      operations: this.registry.operations,
      root: EXAMPLE_ROOT,
      address: this.address,
      states: deprecatedOperations,
      requestsPerMinute: rateLimitPerMinute,
    });
  }

  build(app: INestApplication): OpenAPIObject {
    documentRules();
    const raw = SwaggerModule.createDocument(app, this.header(), {
      operationIdFactory: (controller, method) => this.registry.idOf(`${controller}.${method}`),
      extraModels: [ErrorDto],
    });
    const open = undescribed(raw, this.registry.operations);
    if (open.length > 0) {
      this.logger.info(
        `Operations that declare no response: ${open.join(', ')}. The document knows their status only.`,
      );
    }
    this.built = finishDocument(raw, this.registry.operations, this.descriptions(), this.address);
    return this.built;
  }

  /** Returns the features' descriptions of their operations, by controller. */
  private descriptions(): ReadonlyMap<unknown, string> {
    const descriptions = new Map<unknown, string>();
    for (const { metatype, controllers } of this.modules.values()) {
      const description = featureOptions(metatype)?.description;
      if (description === undefined) continue;
      for (const controller of controllers.keys()) descriptions.set(controller, description);
    }
    return descriptions;
  }

  private header(): Omit<OpenAPIObject, 'paths'> {
    const { title, description } = presentation();
    return {
      openapi: '3.0.3',
      info: {
        title,
        version: '1.0.0',
        description: serviceDescription(description, this.sections, this.address),
        contact: { name: `The team of the ${title.toLowerCase()} service` },
        license: { name: 'Proprietary', url: this.address.guide(LICENCE_ANCHOR) },
      },
      externalDocs: { description: 'The guide', url: this.address.guide() },
      servers: this.servers(),
      components: {
        securitySchemes: {
          [SECURITY_SCHEME]: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, sent as the bearer token. Enter the key alone, without the word Bearer.',
          },
        },
      },
    };
  }

  /** Returns this server and the named ones; this one has its name if it is one of them. */
  private servers(): { url: string; description: string }[] {
    const { productionBaseUrl, stagingBaseUrl } = this.settings;
    const own = this.address.base;
    const others = [
      ...(productionBaseUrl ? [{ url: productionBaseUrl, description: 'Production' }] : []),
      ...(stagingBaseUrl ? [{ url: stagingBaseUrl, description: 'Staging' }] : []),
    ];
    const known = others.find(({ url }) => url === own);
    return [known ?? { url: own, description: 'This server' }, ...others.filter(({ url }) => url !== own)];
  }
}

/**
 * Writes the introduction of the served document, in Markdown: the guide's sections in brief, each with a link to the whole.
 */
function serviceDescription(
  description: string,
  sections: readonly GuideSection[],
  address: ServiceAddress,
): string {
  const introduction = [
    description,
    `This introduction is the short form. [The guide](${address.guide()}) has examples and the rest.`,
  ].join(' ');
  return [
    introduction,
    ...sections
      .filter(({ brief }) => brief !== '')
      .map(({ id, title, brief }) => `## ${title}\n\n${brief}\n\n[More on this](${address.guide(id)})`),
  ].join('\n\n');
}
