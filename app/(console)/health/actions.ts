'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import { requireServer } from '@/app/server-view';
import { HEALTH_ACTS } from '@/components/health/action';
import { AppError } from '@/lib/core';
import { healthSettingsSchema, parseWebhookAddress, WEBHOOK_SECRET } from '@/lib/health';
import { actOnServer } from './act-on-server';

const PAGE = '/health';

/** Acts on each of the servers; what becomes of one changes nothing for the others. */
export const actOnServers = defineAction({
  permission: 'servers.manage',
  input: z.object({
    keys: z.array(z.string()).min(1, 'Select a server first.').max(1000),
    act: z.enum(HEALTH_ACTS),
    restMinutes: z.int().min(1).max(7 * 24 * 60),
  }),
  run: async ({ keys, act, restMinutes }, context) => ({
    results: await Promise.all([...new Set(keys)].map((key) => actOnServer(() => requireServer(context.runtime, key), { key, act, restMinutes }, context))),
  }),
});

export const saveSettings = defineAction({
  permission: 'limits.manage',
  input: healthSettingsSchema,
  run: async (settings, { principal, runtime }) => {
    runtime.health.saveSettings(settings, principal.actor);
    revalidatePath(PAGE);
    return settings;
  },
});

export const saveAddress = defineAction({
  permission: 'vault.manage',
  input: z.object({ address: z.string().max(4096) }),
  run: async ({ address }, { principal, runtime }) => {
    const parsed = parseWebhookAddress(address);
    if (!parsed.ok) throw new AppError({ code: 'bad_input', message: parsed.message, fields: [{ field: 'address', message: parsed.message }] });
    runtime.vault.set(WEBHOOK_SECRET, parsed.url.href, principal);
    revalidatePath(PAGE);
    return null;
  },
});

export const clearAddress = defineAction({
  permission: 'vault.manage',
  input: z.object({}),
  run: async (_input, { principal, runtime }) => {
    runtime.vault.clear(WEBHOOK_SECRET, principal);
    revalidatePath(PAGE);
    return null;
  },
});

/** Posts once, now, and answers how it went. */
export const testAddress = defineAction({
  permission: 'vault.manage',
  input: z.object({}),
  run: async (_input, { runtime, audit }) => {
    const delivery = await runtime.health.webhook.test();
    audit.record({ type: 'webhook.tested', subject: 'health', details: { ok: delivery.ok, message: delivery.message } });
    revalidatePath(PAGE);
    return delivery;
  },
});
