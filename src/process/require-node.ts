/**
 * Imported before anything else: on an older Node the packages fail in ways that do not say why. The npm scripts bring their
 * own Node; a direct start can end here, and any after an installation that was interrupted.
 */
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 26) {
  process.stderr.write(
    `The petstore service needs Node.js 26 or newer, but this is ${process.versions.node}. Run npm ci, which installs it, and start by an npm script, which uses it.\n`,
  );
  process.exit(1);
}
