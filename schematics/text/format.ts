import { join } from 'node:path';

/** A file's text as `npm run format` would leave it, with the options of the project. */
export async function formatted(root: string, path: string, text: string): Promise<string> {
  // What is refused before has not waited for it.
  const { format, resolveConfig } = await import('prettier');
  const file = join(root, path);
  return format(text, { ...(await resolveConfig(file, { editorconfig: true })), filepath: file });
}
