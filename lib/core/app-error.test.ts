import { expect, it, vi } from 'vitest';
import { AppError } from './app-error';

it('is one kind of error, whichever copy of the module threw it', async () => {
  vi.resetModules();
  const copy = await import('./app-error');
  expect(copy.AppError).not.toBe(AppError);
  const thrown: unknown = new copy.AppError({ code: 'conflict', message: 'somebody else saved it' });
  expect(thrown instanceof AppError && thrown.code).toBe('conflict');
  expect(new Error('other') instanceof AppError).toBe(false);
  expect((null as unknown) instanceof AppError).toBe(false);
});
