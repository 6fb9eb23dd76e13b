import { Global, Module } from '@nestjs/common';
import { ServedDocument } from '../http/response/served-document';
import { OperationsModule } from '../http/operations/operations.module';
import { ApiDocument } from './api-document';
import { DocsController } from './docs.controller';
import { DocsFiles } from './docs-files';

/** The document of the interface and the pages that show it. Global, because responses are serialised by its schemas. */
@Global()
@Module({
  imports: [OperationsModule],
  controllers: [DocsController],
  providers: [ApiDocument, DocsFiles, { provide: ServedDocument, useExisting: ApiDocument }],
  exports: [ServedDocument],
})
export class DocsModule {}
