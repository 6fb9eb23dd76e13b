import { Module } from '@nestjs/common';
import { ApiDocument } from './api-document';
import { DocsController } from './docs.controller';
import { DocsFiles } from './docs-files';

/** The document of the interface and the pages that show it. */
@Module({ controllers: [DocsController], providers: [ApiDocument, DocsFiles], exports: [ApiDocument] })
export class DocsModule {}
