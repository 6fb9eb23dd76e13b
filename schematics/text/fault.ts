import ts from 'typescript';

/** A message of the compiler, on one line and without a full stop: `src/features.ts:3 ';' expected`. */
export function inOneLine({ file, start, messageText }: ts.Diagnostic, path: string): string {
  const line = file?.getLineAndCharacterOfPosition(start ?? 0).line;
  const message = ts
    .flattenDiagnosticMessageText(messageText, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/\.$/, '');
  return `${line === undefined ? path : `${path}:${line + 1}`} ${message}`;
}
