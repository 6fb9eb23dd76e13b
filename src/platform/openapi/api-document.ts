import { type INestApplication, Injectable } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { ErrorDto } from '../errors/error.dto';
import { API_VERSION, OperationRegistry } from '../http/operation-registry';
import { SECURITY_SCHEME } from '../security/access.decorators';
import { finishDocument } from './finish-document';
import { SERVICE_DESCRIPTION } from './service-description';

/** The OpenAPI document of the running service, built once. */
@Injectable()
export class ApiDocument {
  private built: OpenAPIObject | undefined;

  constructor(
    private readonly registry: OperationRegistry,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** @throws Error before {@link build} was called */
  get document(): OpenAPIObject {
    if (!this.built) throw new Error('The document has not been built yet.');
    return this.built;
  }

  build(app: INestApplication): OpenAPIObject {
    const raw = SwaggerModule.createDocument(app, this.header(), {
      operationIdFactory: (_controller, method) => method,
      extraModels: [ErrorDto],
    });
    this.built = finishDocument(raw, this.registry.operations);
    return this.built;
  }

  private header(): Omit<OpenAPIObject, 'paths'> {
    const builder = new DocumentBuilder()
      .setOpenAPIVersion('3.0.3')
      .setTitle('Petstore')
      .setVersion('1.0.0')
      .setDescription(SERVICE_DESCRIPTION)
      .setContact('Petstore team', '/docs/guide', '')
      .addServer(`/v${API_VERSION}`, 'This server');
    const { productionBaseUrl, stagingBaseUrl } = this.settings;
    if (productionBaseUrl) builder.addServer(productionBaseUrl, 'Production');
    if (stagingBaseUrl) builder.addServer(stagingBaseUrl, 'Staging');
    builder.addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'An API key, sent as the bearer token.' },
      SECURITY_SCHEME,
    );
    return builder.build();
  }
}
