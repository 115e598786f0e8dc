// Preloaded into a process whose memory is measured: prints its peak on standard error when it ends.
process.on('exit', () => {
  process.stderr.write(`\npeak ${process.resourceUsage().maxRSS / 1024}\n`);
});
