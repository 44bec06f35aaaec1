/**
 * Loaded into each child before its own code (`node --import`). When `start` is gone, however it ended, the channel to it
 * closes, and the child stops as if `start` had told it to; then the server's end is that of the embedded PostgreSQL.
 */
let orphaned = false;
process.once('disconnect', () => {
  orphaned = true;
  if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
  else process.exit(1);
});
// A child that has nothing left to do ends; the channel alone does not keep it.
process.channel?.unref();

process.once('exit', () => {
  const postgres = Number(process.env.WAYBILL_START_POSTGRES);
  if (!orphaned || !postgres) return;
  try {
    process.kill(postgres, 'SIGINT');
  } catch {} // the next start was faster
});
