import { InvalidDocumentError } from '../../../packages/tools/src/openapi/document-node';
import { UsageError } from '../../platform/cli/command-error';

/** Does work on documents that the command line names. @throws UsageError for one that cannot be read, compared or used */
export async function onDocuments<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    throw new UsageError({ message: error.message, cause: error });
  }
}
