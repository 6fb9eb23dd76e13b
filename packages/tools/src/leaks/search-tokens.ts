import { type FoundToken, scanFiles, type TokenForm } from './scan-files';
import { scanHistory } from './scan-history';

/**
 * Finds tokens in the files at or below a path as they are now, and in the history of the git repository that it is in: of
 * each file, the first commit that brought a token in.
 *
 * @param skip called with each file or folder that cannot be read
 * @throws Error when there is no git, or it fails
 */
export async function searchTokens(
  path: string,
  tokens: TokenForm,
  skip: (path: string) => void,
): Promise<FoundToken[]> {
  const found: FoundToken[] = [];
  for await (const one of scanFiles(path, tokens, skip)) found.push(one);
  const seen = new Set<string>();
  for await (const one of scanHistory(path, tokens)) {
    const place = `${one.token} ${one.file}`;
    if (!seen.has(place)) found.push(one);
    seen.add(place);
  }
  return found;
}
