import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

export const TAG_METADATA = 'petstore:tag';

/** A tag of the document. */
export interface FeatureTagDeclaration {
  readonly name: string;
  readonly description: string;
}

/** Groups a controller's operations in the document, under a name with a description. */
export function FeatureTag(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), SetMetadata(TAG_METADATA, { name, description }));
}
