// Imported first, so that an older Node gets a readable message instead of a stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `daybook-migrate requires Node 22.13 or newer. Current version: ${process.versions.node}.\n`,
  );
  process.exit(1);
}
// SQLite still calls itself experimental in some of these versions; users cannot act on that warning.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.message}\n`);
});
