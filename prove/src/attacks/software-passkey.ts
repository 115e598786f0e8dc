import type { KeyObject } from 'node:crypto';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface DeviceOptions {
  readonly rpId: string;
  readonly origin: string;
}

/** The values that an attack changes in the device's response. */
export interface ForgedDeviceOptions extends Partial<DeviceOptions> {
  readonly type?: string;
  readonly flags?: number;
  readonly signCount?: number;
  readonly credentialId?: Buffer;
  readonly signWith?: KeyObject;
}

export interface SoftwareDevice {
  readonly credentialId: Buffer;
  readonly privateKey: KeyObject;
  /** The answer to a challenge as a browser sends it, as JSON. */
  readonly create: (challenge: string, lies?: ForgedDeviceOptions) => string;
  readonly get: (challenge: string, lies?: ForgedDeviceOptions) => string;
}

const userPresent = 0x01;
const userVerified = 0x04;
const attested = 0x40;

/** A passkey in software (ES256, no attestation), which sends whatever an attack requires. */
export function createSoftwareDevice(options: DeviceOptions): SoftwareDevice {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let signatures = 0;
  const clientData = (type: string, challenge: string, lies: ForgedDeviceOptions): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge, origin: lies.origin ?? options.origin, crossOrigin: false }),
    );
  const head = (lies: ForgedDeviceOptions, flags: number): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.signCount ?? signatures);
    const host = createHash('sha256')
      .update(lies.rpId ?? options.rpId)
      .digest();
    return Buffer.concat([host, Buffer.from([lies.flags ?? flags]), count]);
  };
  return {
    credentialId,
    privateKey,
    create: (challenge, lies = {}) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const data = Buffer.concat([
        head(lies, userPresent | userVerified | attested),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
      ]);
      return answer(credentialId, {
        clientDataJSON: clientData(lies.type ?? 'webauthn.create', challenge, lies),
        attestationObject: attestationObject(data),
      });
    },
    get: (challenge, lies = {}) => {
      signatures += 1;
      const clientDataJSON = clientData(lies.type ?? 'webauthn.get', challenge, lies);
      const authenticatorData = head(lies, userPresent | userVerified);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
      const signature = sign('sha256', signed, lies.signWith ?? privateKey);
      return answer(lies.credentialId ?? credentialId, { clientDataJSON, authenticatorData, signature });
    },
  };
}

function answer(credentialId: Buffer, response: Readonly<Record<string, Buffer>>): string {
  const id = credentialId.toString('base64url');
  const parts = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]);
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(parts) as Record<string, string>,
  });
}

/** CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseKey(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]);
}

/** CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}. */
function attestationObject(data: Buffer): Buffer {
  const length = Buffer.alloc(3);
  length.writeUInt8(0x59);
  length.writeUInt16BE(data.length, 1);
  return Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    length,
    data,
  ]);
}
