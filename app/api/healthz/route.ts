import { definePublicRoute } from '@/app/define-route';

/** Whether the process can do its work: read its data, open connections and check servers. It says nothing about servers. */
export const GET = definePublicRoute({
  run: async (_request, { runtime }) => {
    const checks = {
      database: holds(() => runtime.db.sqlite.prepare('SELECT 1').get() !== undefined),
      pool: holds(() => runtime.pool.isOpen),
      monitor: holds(() => runtime.health.monitor.works),
    };
    const ok = Object.values(checks).every(Boolean);
    const words = Object.fromEntries(Object.entries(checks).map(([name, works]) => [name, works ? 'ok' : 'failing']));
    return Response.json({ ok, checks: words }, { status: ok ? 200 : 503 });
  },
});

function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
