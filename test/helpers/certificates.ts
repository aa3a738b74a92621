import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

/** Certificates of the test's own authority. Clients that should trust it get `authority`. */
export interface Certificates {
  authority: string;
  valid: Certificate;
  expired: Certificate;
  selfSigned: Certificate;
}

/** Whether this machine can create certificates. Node cannot; without openssl the tests that need them are skipped. */
export const canMakeCertificates = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Creates certificates for a host name. */
export function makeCertificates(hostname: string): Certificates {
  const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
  const openssl = (...parameters: string[]): void => {
    execFileSync('openssl', parameters, { cwd: directory, stdio: 'ignore' });
  };
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const alternativeName = `subjectAltName=DNS:${hostname}`;
  try {
    writeFileSync(join(directory, 'extensions'), `${alternativeName}\n`);
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      '-subj',
      '/CN=Test',
      '-days',
      '2',
    );
    openssl(
      ...['req', '-x509', ...newKey, '-keyout', 'self.key', '-out', 'self.crt', '-days', '2'],
      ...['-subj', `/CN=${hostname}`, '-addext', alternativeName],
    );
    openssl('req', ...newKey, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', `/CN=${hostname}`);
    const signed = (name: string, days: number): Certificate => {
      openssl(
        ...['x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-days', String(days), '-extfile', 'extensions', '-out', name],
      );
      return { key: read('leaf.key'), cert: read(name) };
    };
    return {
      authority: read('ca.crt'),
      valid: signed('valid.crt', 2),
      expired: signed('expired.crt', -1),
      selfSigned: { key: read('self.key'), cert: read('self.crt') },
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
