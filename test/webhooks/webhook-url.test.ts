import * as fc from 'fast-check';
import { checkWebhookUrl, isAllowedHost, type WebhookUrlRefusal } from '../../src/webhooks/webhook-url.ts';

describe('a webhook URL is accepted', () => {
  test.each([
    ['https://example.com/hook'],
    ['http://example.com'],
    ['https://hooks.example.co.uk:8443/a/b?c=d&e=f#g'],
    ['HTTPS://EXAMPLE.COM/'],
    ['https://example.com./hook'],
    ['https://xn--r8jz45g.example/'],
    ['https://ሰላም.et/hook'],
    ['https://8.8.8.8/hook'],
    ['https://[2606:4700:4700::1111]:8443/hook'],
    ['https://localhost.example.com/'],
    ['https://mylocal.example/'],
    ['https://internal.example.com/'],
    ['https://a_b.example.com/'],
  ])('%s', (text) => {
    expect(checkWebhookUrl(text, [])).toEqual({ ok: true, url: new URL(text) });
  });

  test('of exactly 2048 characters, each a code point', () => {
    const start = 'https://example.com/';
    expect(checkWebhookUrl(start + 'a'.repeat(2048 - start.length), []).ok).toBe(true);
    expect(checkWebhookUrl(start + '😀'.repeat(2048 - start.length), []).ok).toBe(true);
  });
});

describe('a webhook URL is refused', () => {
  test.each<[string, string, WebhookUrlRefusal]>([
    ['empty', '', 'malformed'],
    ['no scheme', 'example.com/hook', 'malformed'],
    ['a path', '/hook', 'malformed'],
    ['no host', 'https://', 'malformed'],
    ['a port that does not exist', 'https://example.com:65536/', 'malformed'],
    ['an address that does not exist', 'https://256.1.1.1/', 'malformed'],
    ['a space in the host', 'https://exa mple.com/', 'malformed'],
    ['2049 characters', `https://example.com/${'a'.repeat(2029)}`, 'too_long'],
    ['ftp', 'ftp://example.com/', 'scheme'],
    ['file', 'file:///etc/passwd', 'scheme'],
    ['javascript', 'javascript:alert(1)', 'scheme'],
    ['data', 'data:text/plain,x', 'scheme'],
    ['websocket', 'wss://example.com/', 'scheme'],
    ['gopher', 'gopher://127.0.0.1:6379/_x', 'scheme'],
    ['user and password', 'https://user:secret@example.com/', 'credentials'],
    ['user only', 'https://user@example.com/', 'credentials'],
    ['password only', 'https://:secret@example.com/', 'credentials'],
    ['loopback', 'http://127.0.0.1/', 'address_not_public'],
    ['loopback with a port', 'http://127.0.0.1:3000/', 'address_not_public'],
    ['loopback in hexadecimal', 'http://0x7f000001/', 'address_not_public'],
    ['loopback in hexadecimal octets', 'http://0x7f.0x0.0x0.0x1/', 'address_not_public'],
    ['loopback as one number', 'http://2130706433/', 'address_not_public'],
    ['loopback in octal', 'http://0177.0.0.1/', 'address_not_public'],
    ['loopback as one octal number', 'http://017700000001/', 'address_not_public'],
    ['loopback short', 'http://127.1/', 'address_not_public'],
    ['loopback with a trailing dot', 'http://127.0.0.1./', 'address_not_public'],
    ['loopback in full-width digits', 'http://１２７.０.０.１/', 'address_not_public'],
    ['loopback in circled digits', 'http://①②⑦.0.0.1/', 'address_not_public'],
    ['loopback with an ideographic full stop', 'http://127。0。0。1/', 'address_not_public'],
    ['loopback percent-encoded', 'http://%31%32%37.0.0.1/', 'address_not_public'],
    ['loopback behind a tab', 'http://127.0.\t0.1/', 'address_not_public'],
    ['loopback with backslashes', 'http:\\\\127.0.0.1\\', 'address_not_public'],
    ['zero', 'http://0/', 'address_not_public'],
    ['cloud metadata', 'http://169.254.169.254/latest/meta-data/', 'address_not_public'],
    ['cloud metadata as one number', 'http://2852039166/', 'address_not_public'],
    ['private', 'https://10.0.0.1/', 'address_not_public'],
    ['IPv6 loopback', 'http://[::1]/', 'address_not_public'],
    ['IPv6 loopback, written out', 'http://[0:0:0:0:0:0:0:1]:8080/', 'address_not_public'],
    ['IPv4-mapped loopback', 'http://[::ffff:127.0.0.1]/', 'address_not_public'],
    ['NAT64 of cloud metadata', 'http://[64:ff9b::169.254.169.254]/', 'address_not_public'],
    ['unique local', 'http://[fd00::1]/', 'address_not_public'],
    ['localhost', 'http://localhost/', 'local_name'],
    ['localhost in capitals', 'http://LOCALHOST/', 'local_name'],
    ['localhost with a trailing dot', 'http://localhost./', 'local_name'],
    ['localhost with two', 'http://localhost../', 'local_name'],
    ['below localhost', 'http://app.localhost:3000/', 'local_name'],
    ['localhost in full-width letters', 'http://ｌocalhost/', 'local_name'],
    ['mDNS', 'http://printer.local/', 'local_name'],
    ['internal', 'http://metadata.google.internal/', 'local_name'],
    ['home.arpa', 'http://router.home.arpa/', 'local_name'],
    ['localdomain', 'http://localhost.localdomain/', 'local_name'],
    ['a neighbouring container', 'http://postgres:5432/', 'local_name'],
  ])('%s: %s', (_name, text, code) => {
    expect(checkWebhookUrl(text, [])).toEqual({ ok: false, code, reason: expect.any(String) });
  });

  test('with a reason that fits into a sentence and holds nothing of the URL', () => {
    for (const text of [
      '',
      'ftp://secret/',
      'http://secret:secret@a.b/',
      'http://secret/',
      'http://10.9.8.7/',
    ]) {
      const result = checkWebhookUrl(text, []);
      expect(!result.ok && result.reason).toMatch(/^[^A-Z].*[^.]$/);
      expect(!result.ok && result.reason).not.toMatch(/secret|10\.9/);
    }
  });
});

describe('a host that the operator allows', () => {
  test.each([
    ['by name', 'http://localhost:3000/', 'localhost'],
    ['by name in another case', 'http://LocalHost/', 'LOCALHOST'],
    ['by name, the URL with a trailing dot', 'http://localhost./', 'localhost'],
    ['by name and port', 'http://localhost:3000/', 'localhost:3000'],
    ['by name and the default port of http', 'http://receiver/', 'receiver:80'],
    ['by name and the default port of https', 'https://receiver/', 'receiver:443'],
    ['by address', 'http://127.0.0.1:3000/', '127.0.0.1'],
    ['by address, the URL in another spelling', 'http://0x7f.1/', '127.0.0.1'],
    ['by IPv6 address', 'http://[::1]:3000/', '::1'],
    ['by IPv6 address in brackets', 'http://[::1]:3000/', '[::1]'],
    ['by IPv6 address and port', 'http://[::1]:3000/', '[::1]:3000'],
  ])('is exempt: %s', (_name, text, entry) => {
    expect(checkWebhookUrl(text, ['other.example', entry]).ok).toBe(true);
  });

  test.each([
    ['another name', 'http://localhost/', 'localhost.example'],
    ['a name below it', 'http://app.localhost/', 'localhost'],
    ['a part of the name', 'http://local/', 'localhost'],
    ['another port', 'http://localhost:3001/', 'localhost:3000'],
    ['the default port of the other scheme', 'https://receiver/', 'receiver:80'],
    ['another address', 'http://127.0.0.2/', '127.0.0.1'],
    ['the same address within IPv6', 'http://[::ffff:127.0.0.1]/', '127.0.0.1'],
    ['a name that resolves to it', 'http://localhost/', '127.0.0.1'],
    ['an empty entry', 'http://localhost/', ''],
    ['a port only', 'http://localhost/', ':80'],
    ['a pattern', 'http://localhost/', '*'],
    ['a URL', 'http://localhost/', 'http://localhost'],
    ['a path', 'http://localhost/', 'localhost/'],
    ['a user', 'http://localhost/', 'user@localhost'],
  ])('does not exempt %s', (_name, text, entry) => {
    expect(checkWebhookUrl(text, [entry]).ok).toBe(false);
  });

  test('is still held to the other rules', () => {
    expect(checkWebhookUrl('ftp://localhost/', ['localhost'])).toMatchObject({ code: 'scheme' });
    expect(checkWebhookUrl('http://a:b@localhost/', ['localhost'])).toMatchObject({ code: 'credentials' });
  });

  test('is found by the host names connectors use, without brackets', () => {
    expect(isAllowedHost('::1', 80, ['[::1]:80'])).toBe(true);
    expect(isAllowedHost('', 80, [''])).toBe(false);
    expect(isAllowedHost('localhost:80', 80, ['localhost'])).toBe(false);
    expect(isAllowedHost('localhost', null, ['localhost:80'])).toBe(false);
    expect(isAllowedHost('localhost', null, ['localhost'])).toBe(true);
  });
});

describe('for every URL', () => {
  test('no spelling of a loopback address is accepted', () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(octet, octet, octet, fc.constantFrom('', '.'), (b, c, d, dot) => {
        const number = 127 * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
        const spellings = [
          `127.${b}.${c}.${d}`,
          `0177.0${b.toString(8)}.${c}.0x${d.toString(16)}`,
          `127.${b}.${c * 256 + d}`,
          `127.${number % 2 ** 24}`,
          `${number}`,
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
        ];
        for (const host of spellings) {
          expect([host, checkWebhookUrl(`http://${host}${dot}/`, [])]).toEqual([
            host,
            expect.objectContaining({ code: 'address_not_public' }),
          ]);
        }
      }),
    );
  });

  test('no string makes it throw, and what is accepted is http or https without credentials', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.webUrl().map((url) => url.replace('//', '//u@')),
        ),
        (text) => {
          const result = checkWebhookUrl(text, []);
          if (!result.ok) return;
          expect(['http:', 'https:']).toContain(result.url.protocol);
          expect(result.url.username + result.url.password).toBe('');
        },
      ),
      { numRuns: 1000 },
    );
  });
});
