import { z } from 'zod';
import { isObject } from '@/lib/core';
import type { HealthRow } from '@/lib/health';
import { fetchJson } from '../servers/fetch-servers';

// The console's own answer: its shape is that of the type, checked where it is made.
const rowsSchema = z.object({ rows: z.array(z.custom<HealthRow>(isObject)) });

export const fetchHealth = async (signal?: AbortSignal): Promise<HealthRow[]> => rowsSchema.parse(await fetchJson('/api/health', signal)).rows;
