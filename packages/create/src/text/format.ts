import { join } from 'node:path';

/** Formats a file's text as `npm run format` does, with the options of the project; a template of a page stays as it is. */
export async function formatted(root: string, path: string, text: string): Promise<string> {
  if (path.endsWith('.eta')) return text;
  // Loaded late: a refusal before this need not wait for it.
  const { format, resolveConfig } = await import('prettier');
  const file = join(root, path);
  return format(text, { ...(await resolveConfig(file, { editorconfig: true })), filepath: file });
}
