import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a certificate. @returns the paths of key and certificate, which is in one file with the key, too */
export function makeCertificate(folder: string): { key: string; certificate: string; both: string } {
  const [key, certificate, both] = ['key', 'crt', 'pem'].map((end) => join(folder, `shop.${end}`)) as [
    string,
    string,
    string,
  ];
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1'];
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  writeFileSync(both, readFileSync(key, 'utf8') + readFileSync(certificate, 'utf8'));
  return { key, certificate, both };
}
