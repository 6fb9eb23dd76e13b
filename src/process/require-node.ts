/**
 * Imported before anything else: on an older Node the packages fail in ways that do not say why. The npm scripts bring their
 * own Node; only a direct start can end here.
 */
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `The petstore service needs Node.js 24 or newer, but this is ${process.versions.node}. Start the service with an npm script, which uses the Node.js of the project.\n`,
  );
  process.exit(1);
}
