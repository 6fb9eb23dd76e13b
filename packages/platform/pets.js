// Of the service that runs, as in index.js.
module.exports = require('../../dist/src/exports/pets.js');
