// Of the service that runs: two copies would have two of every token, decorator and transaction.
module.exports = require('../../dist/src/exports/platform.js');
