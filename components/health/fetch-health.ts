import { isListOf, isOwn, isShape, requireShape } from '@/lib/core';
import type { HealthRow } from '@/lib/health';
import { fetchJson } from '../servers/fetch-servers';

// The console's own answer: its shape is that of the type, checked where it is made.
const isRows = isShape<{ rows: HealthRow[] }>({ rows: isListOf(isOwn<HealthRow>) });

export const fetchHealth = async (signal?: AbortSignal): Promise<HealthRow[]> => requireShape(await fetchJson('/api/health', signal), isRows).rows;
