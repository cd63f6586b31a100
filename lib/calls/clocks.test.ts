import { describe, expect, it } from 'vitest';
import type { ManifestTool } from '@/lib/manifests';
import { clocksFor, describeTimeout } from './clocks';

const manifestTool = (facts: Partial<ManifestTool>): ManifestTool => ({
  name: 'scan', optionalDependency: null, available: true, reason: null, timeoutS: null, remediation: null, without: null, longRunning: false, verifyWith: [], ...facts,
});

describe('the clocks of a call', () => {
  it('are the defaults without limits', () => {
    const { idle, total, shortOfMs } = clocksFor({ tool: 'scan', limits: {}, manifestTool: null, totalMs: null });
    expect(idle).toEqual({ ms: 120_000, source: 'default', field: 'limits.idle_s' });
    expect(total).toEqual({ ms: 900_000, source: 'default', field: 'limits.total_s' });
    expect(shortOfMs).toBeNull();
  });

  it("take the tool's limits before the server's", () => {
    const limits = { idle_s: 10, total_s: 20, tools: { scan: { total_s: 5 } } };
    const { idle, total } = clocksFor({ tool: 'scan', limits, manifestTool: null, totalMs: null });
    expect(idle).toMatchObject({ ms: 10_000, source: 'server' });
    expect(total).toEqual({ ms: 5000, source: 'tool', field: 'limits.tools.scan.total_s' });
  });

  it('are both raised to what the manifest says and a margin', () => {
    const { idle, total } = clocksFor({ tool: 'scan', limits: { idle_s: 10, total_s: 400 }, manifestTool: manifestTool({ timeoutS: 300 }), totalMs: null });
    expect(idle).toMatchObject({ ms: 330_000, source: 'manifest' });
    expect(total).toMatchObject({ ms: 400_000, source: 'server' });
  });

  it('have no idle for a long-running tool that names no timeout', () => {
    expect(clocksFor({ tool: 'scan', limits: {}, manifestTool: manifestTool({ longRunning: true }), totalMs: null }).idle).toBeNull();
    expect(clocksFor({ tool: 'scan', limits: {}, manifestTool: manifestTool({ longRunning: true, timeoutS: 9 }), totalMs: null }).idle).not.toBeNull();
  });

  it("take the asker's total, and say when the tool asks for longer", () => {
    const { total, shortOfMs } = clocksFor({ tool: 'scan', limits: {}, manifestTool: manifestTool({ timeoutS: 60 }), totalMs: 5000 });
    expect(total).toMatchObject({ ms: 5000, source: 'call' });
    expect(shortOfMs).toBe(90_000);
  });

  it('are named with their limit when they run out', () => {
    const { idle, total } = clocksFor({ tool: 'scan', limits: { idle_s: 10 }, manifestTool: null, totalMs: 1500 });
    expect(describeTimeout('idle', idle!, 'scan')).toContain("idle limit of 10 s (set in the server's limits)");
    expect(describeTimeout('total', total, 'scan')).toContain('total limit of 1.5 s (set for this call)');
  });

  it('never run longer than a timer can count, whatever a manifest or an asker says', () => {
    const { idle, total } = clocksFor({ tool: 'scan', limits: {}, manifestTool: manifestTool({ timeoutS: 1e12 }), totalMs: null });
    expect([idle?.ms, total.ms]).toEqual([2_147_483_647, 2_147_483_647]);
    expect(clocksFor({ tool: 'scan', limits: {}, manifestTool: null, totalMs: 1e15 }).total.ms).toBe(2_147_483_647);
  });
});
