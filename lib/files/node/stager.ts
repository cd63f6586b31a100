import { createHash } from 'node:crypto';
import { AppError, err, ok, toCanonicalJson, type JsonObject, type Result, type RunId } from '@/lib/core';
import type { ServerEntry } from '@/lib/servers';
import {
  decideHandOver, findIndicators, findReferences, hasIndicators, isUpload, replaceReferences,
  type Destination, type DisclosurePlan, type Handing, type HandedFile, type HandingWay, type PlannedFile,
} from '..';
import type { BlobStore } from './blob-store';
import { toDestination } from './destination';
import type { FileIndex } from './file-index';
import { CONSOLE_JOB, type JobDirectories } from './job-directories';
import type { MakePlumbingCall } from './plumbing';
import type { RunNotes } from './run-notes';
import type { Uploader } from './uploader';

export interface ResolvedAddress {
  /** Null for a process, or where it does not resolve. */
  readonly url: URL | null;
  /** Where the server sees the job directory, where it is told. */
  readonly sampleMount: string | null;
}

interface StagerOptions {
  readonly files: FileIndex;
  readonly uploader: Uploader;
  readonly jobs: JobDirectories;
  readonly blobs: Pick<BlobStore, 'stream'>;
  readonly notes: RunNotes;
  /** What the server's configuration resolves to now. */
  readonly findAddress: (entry: ServerEntry) => ResolvedAddress;
}

/** A call as far as its files go. */
export interface StagedCall {
  readonly runId: RunId;
  readonly entry: ServerEntry;
  readonly arguments: JsonObject;
  /** The names of the tools that the server lists. */
  readonly tools: ReadonlySet<string>;
  /** Whether the server's manifest says that it passes on what it is sent. */
  readonly saysExternal: boolean;
  /** Null where the server is not connected. */
  readonly connection: object | null;
}

export interface HandOverOptions {
  readonly call: StagedCall & { readonly connection: object };
  readonly plan: DisclosurePlan;
  readonly confirmedBy: string;
  readonly makePlumbingCall: MakePlumbingCall;
  readonly sequence: number;
  readonly onHanded: (handing: Handing) => void;
}

/** A reference that names no file, and where it stands. */
export interface BadReference {
  readonly pointer: string;
  readonly message: string;
}

const UNTOLD = 'nothing tells this server where to find files';

/** Decides how the files of a call reach its server, says before what would leave, and hands them over. */
export class Stager {
  constructor(private readonly options: StagerOptions) {}

  /** What the call would hand to its server; nothing is sent for it. */
  async plan(call: StagedCall): Promise<Result<DisclosurePlan, BadReference>> {
    const { url } = this.options.findAddress(call.entry);
    const destination = await toDestination(call.entry, url, call.saysExternal);
    const way = decideHandOver(call.entry, call.tools);
    const files: PlannedFile[] = [];
    for (const { pointer, text, reference } of findReferences(call.arguments)) {
      if (files.some((file) => file.reference === text)) continue;
      const found = this.options.files.find(reference, call.runId);
      if (!found.ok) return err({ pointer, message: `${text} at ${pointer} ${found.error}.` });
      const isThere = call.connection !== null && this.options.uploader.isThere(call.runId, call.entry.key, found.value.sha256, call.connection);
      files.push({ ...found.value, reference: text, way, isThere });
    }
    const lookup = destination.external ? { bytes: Buffer.byteLength(JSON.stringify(call.arguments)), indicators: findIndicators(call.arguments) } : null;
    return ok({ destination, files, lookup, token: toToken(destination, files, lookup), notes: toNotes(way, files, lookup, destination) });
  }

  /**
   * Hands the files of a call over as planned and answers its arguments as they go out. A file that cannot be staged
   * becomes a degradation of the run, and the local path goes in its place.
   */
  async handOver(options: HandOverOptions, signal: AbortSignal): Promise<JsonObject> {
    const { call, plan, onHanded } = options;
    const paths = new Map<string, string>();
    for (const file of plan.files) {
      if (signal.aborted) break;
      const handing = await this.handOne(file, options, signal);
      if (handing.degradation !== null) this.options.notes.degrade(call.runId, handing.degradation, options.sequence);
      paths.set(file.reference, handing.path);
      onHanded(handing);
    }
    this.options.files.give(call.runId, plan.files);
    return replaceReferences(call.arguments, paths);
  }

  private async handOne(file: PlannedFile, options: HandOverOptions, signal: AbortSignal): Promise<Handing> {
    const { call, plan, confirmedBy, makePlumbingCall } = options;
    const { reference, sha256, sizeBytes, name, kind, way } = file;
    const toHanding = (path: string, degradation: string | null): Handing => ({ reference, sha256, sizeBytes, name, kind, way, path, degradation });
    if (!isUpload(way)) return toHanding(await this.toPath(file, way, call.entry, signal), null);
    const uploaded = await this.options.uploader.upload(
      { runId: call.runId, file, way, destination: plan.destination, confirmedBy, connection: call.connection, call: makePlumbingCall },
      signal,
    );
    if (uploaded.ok) return toHanding(uploaded.path, null);
    const words = `sample staging failed for '${call.entry.key}': ${uploaded.words}`;
    return toHanding(await this.place(file, signal), words);
  }

  private async toPath(file: HandedFile, way: HandingWay, entry: ServerEntry, signal: AbortSignal): Promise<string> {
    const path = await this.place(file, signal);
    if (way !== 'mapped_path') return path;
    const { sampleMount } = this.options.findAddress(entry);
    if (sampleMount === null) throw new AppError({ code: 'unavailable', message: `Where ${entry.key} sees the job directory does not resolve.` });
    return `${sampleMount.replace(/\/+$/, '')}/${path.slice(path.lastIndexOf('/') + 1)}`;
  }

  private place(file: HandedFile, signal: AbortSignal): Promise<string> {
    return this.options.jobs.place(CONSOLE_JOB, file, () => this.options.blobs.stream(file.sha256), signal);
  }
}

/** Of what would leave, and of nothing else: what opens a file here discloses nothing. */
function toToken(destination: Destination, files: readonly PlannedFile[], lookup: DisclosurePlan['lookup']): string | null {
  const leaving = files.filter((file) => isUpload(file.way) && !file.isThere);
  // A lookup alone is recorded and not asked about: the forms cannot confirm one yet (issue 5).
  if (leaving.length === 0) return null;
  const told = {
    to: [destination.serverKey, destination.host],
    files: leaving.map(({ sha256, name, kind, way }) => [sha256, name, kind, way]),
    // Counted with their references: what they will read is known before anything is sent.
    lookup: lookup === null ? null : [lookup.bytes, ...lookup.indicators.hashes, ...lookup.indicators.domains, ...lookup.indicators.addresses, ...lookup.indicators.urls],
  };
  return createHash('sha256').update(toCanonicalJson(told)).digest('hex');
}

function toNotes(way: HandingWay, files: readonly PlannedFile[], lookup: DisclosurePlan['lookup'], { serverKey }: Destination): readonly string[] {
  return [
    ...(way === 'untold_path' && files.length > 0 ? [`${UNTOLD}: ${serverKey} is told a path of this machine, which it can hardly open.`] : []),
    ...(files.some((file) => isUpload(file.way) && file.isThere) ? [`${serverKey} has a file of this call already: it does not go again.`] : []),
    ...(lookup !== null && !hasIndicators(lookup.indicators) ? [`${serverKey} passes on what it is sent; the arguments name no hash, domain, address or URL.`] : []),
  ];
}
