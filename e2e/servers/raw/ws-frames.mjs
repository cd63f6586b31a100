// WebSocket frames by hand (RFC 6455), on the server's side: whatever a mode wants on the wire, it can write.
import { createHash } from 'node:crypto';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

/** @param {string} key what the client sent as Sec-WebSocket-Key */
export const acceptOf = (key) => createHash('sha1').update(key + GUID).digest('base64');

/**
 * The bytes of one frame.
 * @param {number} opcode @param {Uint8Array | string} payload
 * @param {{ fin?: boolean, masked?: boolean, reserved?: number, declaredBytes?: bigint }} [options] `declaredBytes` lies about the length
 */
export function frameOf(opcode, payload, { fin = true, masked = false, reserved = 0, declaredBytes } = {}) {
  const body = Buffer.from(payload);
  const size = declaredBytes ?? BigInt(body.length);
  const length = size < 126n ? Buffer.from([Number(size)]) : size < 65_536n ? Buffer.alloc(3) : Buffer.alloc(9);
  if (length.length === 3) {
    length[0] = 126;
    length.writeUInt16BE(Number(size), 1);
  } else if (length.length === 9) {
    length[0] = 127;
    length.writeBigUInt64BE(size, 1);
  }
  if (masked) length[0] = (length[0] ?? 0) | 0x80;
  const mask = Buffer.from([1, 2, 3, 4]);
  const head = Buffer.concat([Buffer.from([(fin ? 0x80 : 0) | (reserved << 4) | opcode]), length, ...(masked ? [mask] : [])]);
  if (masked) body.forEach((byte, at) => (body[at] = byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([head, body]);
}

/** @param {number} code @param {string} [reason] */
export function closeFrameOf(code, reason = '') {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code, 0);
  payload.write(reason, 2);
  return frameOf(CLOSE, payload);
}

/** One text in several frames. @param {string} text @param {number} bytesEach */
export function fragmentsOf(text, bytesEach) {
  const bytes = Buffer.from(text);
  const parts = [];
  for (let at = 0; at < bytes.length; at += bytesEach) {
    parts.push(frameOf(at === 0 ? TEXT : CONTINUATION, bytes.subarray(at, at + bytesEach), { fin: at + bytesEach >= bytes.length }));
  }
  return parts;
}

/** @typedef {{ opcode: number, fin: boolean, payload: Buffer }} ReceivedFrame */

/** Cuts what a client sends into frames, unmasked. Clients of ours send each message in one frame. */
export class FrameCutter {
  held = Buffer.alloc(0);

  /** @param {Buffer} chunk @returns {ReceivedFrame[]} */
  push(chunk) {
    this.held = Buffer.concat([this.held, chunk]);
    const frames = [];
    for (let frame = this.take(); frame !== null; frame = this.take()) frames.push(frame);
    return frames;
  }

  /** @returns {ReceivedFrame | null} */
  take() {
    const { held } = this;
    if (held.length < 2) return null;
    const short = (held[1] ?? 0) & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const bodyAt = 2 + lengthBytes + 4;
    if (held.length < bodyAt) return null;
    const size = lengthBytes === 0 ? short : lengthBytes === 2 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2));
    if (held.length < bodyAt + size) return null;
    const mask = held.subarray(bodyAt - 4, bodyAt);
    const payload = Buffer.from(held.subarray(bodyAt, bodyAt + size));
    payload.forEach((byte, at) => (payload[at] = byte ^ (mask[at % 4] ?? 0)));
    this.held = held.subarray(bodyAt + size);
    return { opcode: (held[0] ?? 0) & 0x0f, fin: ((held[0] ?? 0) & 0x80) !== 0, payload };
  }
}
