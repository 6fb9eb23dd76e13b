// Exports of the running service, as in index.js.
module.exports = require('../../dist/src/service-data-source.js');
