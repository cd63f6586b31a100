import { Duplex } from 'node:stream';
import type { FrameFilter } from './frame-filter';

type Callback = (error?: Error | null) => void;

/** A socket whose incoming bytes pass a filter; the rest of it is as it is. */
export class GatedSocket extends Duplex {
  constructor(
    private readonly socket: Duplex,
    filter: FrameFilter,
  ) {
    super();
    socket.on('data', (chunk: Buffer) => {
      for (const part of filter.push(chunk)) if (!this.push(part)) socket.pause();
    });
    socket.once('end', () => this.push(null));
    socket.once('close', () => this.destroy());
    // It may fail more than once, and nobody else listens.
    socket.on('error', (error: Error) => this.destroy(error));
    socket.pause();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: Callback): void {
    this.socket.write(chunk, encoding, callback);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer; readonly encoding: BufferEncoding }[], callback: Callback): void {
    this.socket.cork();
    chunks.forEach(({ chunk, encoding }, index) => this.socket.write(chunk, encoding, index === chunks.length - 1 ? callback : undefined));
    this.socket.uncork();
  }

  override _final(callback: Callback): void {
    this.socket.end(() => callback());
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.socket.destroy();
    callback(error);
  }
}
