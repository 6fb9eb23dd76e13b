'use strict';

const { GROUPS } = require('../../../tools/test-groups.mjs');

/** The last lines of a whole `npm test`: how many tests passed, and which are not run by it. */
module.exports = class NotRunReporter {
  constructor({ testPathPatterns, testNamePattern }) {
    this.isNarrowed = testPathPatterns.isSet() || Boolean(testNamePattern);
  }

  onRunComplete(contexts, { numPassedTests, numFailedTests }) {
    const isGate = [...contexts].some(({ config }) =>
      config.testRegex.some((regex) => regex.includes('spec')),
    );
    if (this.isNarrowed || !isGate) return;
    process.stderr.write(
      `\n${numPassedTests} tests passed, ${numFailedTests} failed. Not run: ${Object.keys(GROUPS).join(', ')}.\n` +
        'npm run test:changed runs those that your changes may break, npm run test:all runs all.\n',
    );
  }
};
