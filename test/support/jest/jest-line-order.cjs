'use strict';

/**
 * Compiles `features.ts` for Jest as the build does, so that the exports keep the order of their lines: what transforms the
 * other files sorts them by name.
 */
module.exports = {
  process(text, fileName) {
    // Loaded here, because mostly the output is in the cache of Jest.
    const ts = require('typescript');
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2024 };
    return { code: ts.transpileModule(text, { fileName, compilerOptions }).outputText };
  },
};
