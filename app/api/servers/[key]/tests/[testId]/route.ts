import { defineRoute } from '@/app/define-route';
import { AppError, testIds } from '@/lib/core';

/** A test with its events so far; the key in the address says where the reader stands, an unsaved form has none of its own. */
export const GET = defineRoute({
  permission: 'servers.manage',
  run: async (_request, { runtime, params }) => {
    const testId = testIds.parse(String(params['testId']));
    const test = testId === undefined ? undefined : runtime.tester.find(testId);
    if (test === undefined) {
      throw new AppError({ code: 'not_found', message: 'There is no such connection test any more.', remedy: 'Start it again.' });
    }
    return Response.json({ events: test.events, result: test.result });
  },
});
