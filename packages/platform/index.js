// Exports of the running service: a second copy would have its own tokens, decorators and transactions.
module.exports = require('../../dist/src/platform/exports.js');
