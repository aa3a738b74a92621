import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Options of WebAuthn as the API returns them. */
interface Options {
  challenge: string;
  rp?: { id: string };
}

/** How a ceremony differs from the one of an honest browser and a device that has recognised its user. */
interface Oddities {
  origin?: string;
  isUserVerified?: boolean;
  /** The type of ceremony that the browser states. */
  type?: string;
}

type Credential = Record<string, unknown>;

/** An authenticator with one passkey, as a browser and a device behave together (WebAuthn, level 3). */
export interface Authenticator {
  /** Answers the options of a registration, with an attestation of the kind `none`. */
  create: (options: Options, oddities?: Oddities) => Credential;
  /** Answers the options of a sign-in. */
  get: (options: Options, oddities?: Oddities) => Credential;
}

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

/** @param baseUrl the service: the passkey belongs to its host */
export function createAuthenticator(baseUrl: string): Authenticator {
  const { origin: ownOrigin, hostname } = new URL(baseUrl);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  const id = credentialId.toString('base64url');
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  let counter = 0;

  const clientData = (
    { challenge }: Options,
    { origin = ownOrigin, type }: Oddities,
    ceremony: string,
  ): Buffer => Buffer.from(JSON.stringify({ type: type ?? ceremony, challenge, origin, crossOrigin: false }));
  const authenticatorData = ({ isUserVerified = true }: Oddities, more: Buffer | null): Buffer => {
    const flags = userPresent | (isUserVerified ? userVerified : 0) | (more ? hasCredential : 0);
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE((counter += 1));
    return Buffer.concat([sha256(hostname), Buffer.from([flags]), counted, more ?? Buffer.alloc(0)]);
  };
  const credential = (response: Credential): Credential => ({
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
  });

  return {
    get: (options, oddities = {}) => {
      const client = clientData(options, oddities, 'webauthn.get');
      const data = authenticatorData(oddities, null);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
    create: (options, oddities = {}) => {
      // The key in COSE: EC2, ES256, P-256, x, y (RFC 9053, 7.1.1).
      const key = cborMap([
        [cborInteger(1), cborInteger(2)],
        [cborInteger(3), cborInteger(-7)],
        [cborInteger(-1), cborInteger(1)],
        [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ]);
      const aaguid = Buffer.alloc(16);
      const attested = Buffer.concat([aaguid, Buffer.from([0, credentialId.length]), credentialId, key]);
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authenticatorData(oddities, attested))],
      ]);
      return credential({
        clientDataJSON: clientData(options, oddities, 'webauthn.create').toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      });
    },
  };
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** The head of an item of CBOR with a major type, for values below 65,536 (RFC 8949, 3). */
function cborHead(majorType: number, value: number): Buffer {
  const major = majorType << 5;
  if (value < 24) return Buffer.from([major | value]);
  return value < 256 ? Buffer.from([major | 24, value]) : Buffer.from([major | 25, value >> 8, value & 0xff]);
}

const cborInteger = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
