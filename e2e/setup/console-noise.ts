import { afterEach, beforeEach, expect, vi, type MockInstance } from 'vitest';

// An error or a warning on the console that a test did not expect fails the test.
let spies: MockInstance<(...data: unknown[]) => void>[] = [];

beforeEach(() => {
  spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
});

afterEach(() => {
  const noise = spies.flatMap((spy) => spy.mock.calls);
  for (const spy of spies) spy.mockRestore();
  expect(noise, 'unexpected console.error or console.warn').toEqual([]);
});
