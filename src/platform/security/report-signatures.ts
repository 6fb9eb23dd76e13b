import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Signature of a report of leaked keys. */
export interface ReportSignature {
  readonly keyIdentifier: string;
  /** ECDSA over the body with SHA-256, as base64 of DER. */
  readonly signature: string;
}

/** The file of public keys, as GitHub serves it. */
interface PublicKeysFile {
  readonly public_keys: readonly { readonly key_identifier: string; readonly key: string }[];
}

/**
 * Tells whether one of the public keys of a file has signed a body. The file is read each time: a new one needs no restart.
 *
 * @throws Error that says what is wrong with the file
 */
export async function isSigned(
  body: Buffer,
  { keyIdentifier, signature }: ReportSignature,
  file: string,
): Promise<boolean> {
  const key = (await readPublicKeys(file)).get(keyIdentifier);
  return key !== undefined && verify('sha256', body, key, Buffer.from(signature, 'base64'));
}

/**
 * Reads the public keys of a file, by their identifiers.
 *
 * @throws Error that says what is wrong with the file
 */
export async function readPublicKeys(file: string): Promise<ReadonlyMap<string, KeyObject>> {
  try {
    const { public_keys: keys } = JSON.parse(await readFile(file, 'utf8')) as PublicKeysFile;
    return new Map(keys.map(({ key_identifier: id, key }) => [id, p256(createPublicKey(key))]));
  } catch (cause) {
    throw new Error(`${file} does not hold public keys for reports of leaked API keys.`, { cause });
  }
}

function p256(key: KeyObject): KeyObject {
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new Error('A public key is not an ECDSA P-256 key.');
}
