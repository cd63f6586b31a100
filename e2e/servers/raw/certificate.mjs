// Self-signed certificates, made here so that no test needs a program for it. RFC 5280, in DER.
import { generateKeyPairSync, sign } from 'node:crypto';

/** One DER element. @param {number} tag @param {...Uint8Array} parts */
function der(tag, ...parts) {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (/** @type {Uint8Array[]} */ ...parts) => der(0x30, ...parts);
const oid = (/** @type {number[]} */ ...bytes) => der(0x06, Buffer.from(bytes));

const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const SUBJECT_ALT_NAME = oid(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);

/** @param {string} commonName */
const nameOf = (commonName) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))));

/** GeneralizedTime, which has room for any year. @param {number} at */
const timeOf = (at) => der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

/** @param {string} host a name, or an IPv4 address */
const altNameOf = (host) =>
  /^[\d.]+$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

const DAY_MS = 86_400_000;

/**
 * A key and a certificate that vouches for itself.
 * @param {{ host?: string, notBeforeAt?: number, notAfterAt?: number }} [options] the host that it is for, and when it holds
 * @returns {{ key: string, cert: string }} in PEM
 */
export function createCertificate({ host = '127.0.0.1', notBeforeAt = Date.now() - DAY_MS, notAfterAt = Date.now() + DAY_MS } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = nameOf(host);
  const extensions = sequence(
    sequence(SUBJECT_ALT_NAME, der(0x04, sequence(altNameOf(host)))),
    sequence(BASIC_CONSTRAINTS, der(0x01, Buffer.from([0xff])), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(timeOf(notBeforeAt), timeOf(notAfterAt)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const whole = sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
