/** Next calls it once, before the first request. */
export async function register(): Promise<void> {
  // A build loads it as well; so would the edge runtime, which has no processes.
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return;
  const { startConsole } = await import('@/lib/console.instance');
  await startConsole();
}
