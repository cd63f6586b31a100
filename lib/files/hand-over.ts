import { isLocal, type ServerEntry } from '@/lib/servers';

/** How a file reaches a server: the first rule of product section 8 that fits. */
export const HANDING_WAYS = ['local_path', 'mapped_path', 'upload_in_chunks', 'upload_at_once', 'untold_path'] as const;
export type HandingWay = (typeof HANDING_WAYS)[number];

const CHUNKED_TOOLS = ['put_sample_begin', 'put_sample_chunk', 'put_sample_finish'] as const;
export const SINGLE_TOOL = 'put_sample';
export const READ_BACK_TOOL = 'get_artifact';

/** How much of a file goes in one chunk, and is asked back in one, in bytes. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

/** @param tools the names of the tools that the server lists */
export function decideHandOver(entry: ServerEntry, tools: ReadonlySet<string>): HandingWay {
  if (isLocal(entry)) return 'local_path';
  if (entry.sample_mount !== undefined) return 'mapped_path';
  if (CHUNKED_TOOLS.every((tool) => tools.has(tool))) return 'upload_in_chunks';
  if (tools.has(SINGLE_TOOL)) return 'upload_at_once';
  return 'untold_path';
}

/** Whether the file's bytes leave the console for the server. */
export const isUpload = (way: HandingWay): boolean => way === 'upload_in_chunks' || way === 'upload_at_once';
