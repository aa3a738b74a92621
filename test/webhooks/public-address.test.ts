import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { isPublicAddress } from '../../src/webhooks/attempts/public-address.ts';

/** IANA's registries of special-purpose addresses, and multicast; a list apart from the source's library. */
const notPublicIPv4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const notPublicIPv6: [string, number][] = [
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
];

const registry = new BlockList();
for (const [network, prefix] of notPublicIPv4) registry.addSubnet(network, prefix, 'ipv4');
registry.addAddress('168.63.129.16', 'ipv4');
const registry6 = new BlockList();
for (const [network, prefix] of notPublicIPv6) registry6.addSubnet(network, prefix, 'ipv6');

const hex = (address: string) =>
  address
    .split('.')
    .map((octet) => Number(octet).toString(16).padStart(2, '0'))
    .join('')
    .replace(/(....)(....)/, '$1:$2');

describe('an address of the public Internet is public', () => {
  test.each([
    ['8.8.8.8'],
    ['1.1.1.1'],
    ['196.188.1.1'],
    ['9.255.255.255'],
    ['11.0.0.0'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['126.255.255.255'],
    ['128.0.0.0'],
    ['169.253.255.255'],
    ['169.255.0.0'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['192.167.255.255'],
    ['192.169.0.0'],
    ['198.17.255.255'],
    ['198.20.0.0'],
    ['223.255.255.255'],
    ['2606:4700:4700::1111'],
    ['2001:4860:4860::8888'],
    ['2A00:1450:4001:81b::200e'],
    ['2001:200::1'],
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('any other address is not', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'unspecified; reaches this machine on Linux'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'link-local: cloud metadata'],
    ['169.254.170.2', 'link-local: container credentials'],
    ['168.63.129.16', 'Azure’s host'],
    ['100.64.0.1', 'shared, RFC 6598'],
    ['100.100.100.200', 'shared: cloud metadata'],
    ['192.0.0.192', 'reserved: cloud metadata'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['192.88.99.1', '6to4 relay'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback, written out'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['2606:4700:4700::1111%eth0', 'a zone'],
    ['fec0::1', 'site-local'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local: cloud metadata'],
    ['ff02::1', 'multicast'],
    ['100::1', 'discard'],
    ['2001:db8::1', 'documentation'],
    ['3fff::1', 'documentation'],
    ['2001:2::1', 'benchmarking'],
    ['2001:10::1', 'ORCHID'],
    ['5f00::1', 'segment routing'],
    ['4000::1', 'not opened by IANA'],
    ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
    ['::ffff:7f00:1', 'IPv4-mapped loopback'],
    ['::ffff:10.0.0.1', 'IPv4-mapped private'],
    ['::ffff:169.254.169.254', 'IPv4-mapped link-local'],
    ['::127.0.0.1', 'IPv4-compatible loopback'],
    ['::a00:1', 'IPv4-compatible private'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated, RFC 2765'],
    ['64:ff9b::7f00:1', 'NAT64 of loopback'],
    ['64:ff9b::a9fe:a9fe', 'NAT64 of cloud metadata'],
    ['64:ff9b:1::808:808', 'local NAT64'],
    ['2002:7f00:1::', '6to4 of loopback'],
    ['2002:a00:1::1', '6to4 of private'],
    ['2002:808:808::1', '6to4 of a public address'],
    ['2001:0:7f00:1::', 'Teredo'],
    ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'Teredo of loopback'],
  ])('%s (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    [''],
    ['localhost'],
    ['example.com'],
    ['127.1'],
    ['8.8'],
    ['2130706433'],
    ['0x7f000001'],
    ['0177.0.0.1'],
    ['010.8.8.8'],
    ['8.8.8.8.'],
    ['8.8.8.8:80'],
    [' 8.8.8.8'],
    ['8.8.8.8\n'],
    ['[2606:4700:4700::1111]'],
    ['8.8.8.256'],
    ['8.8.8.8/32'],
  ])('%j, which is no address as a resolver writes it', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('for every address', () => {
  // Uniform addresses almost never hit the small ranges, so half of them begin with a listed network's octets.
  const ipv4 = fc.oneof(
    fc.ipV4(),
    fc
      .tuple(
        fc.constantFrom(...notPublicIPv4.map(([network]) => network)),
        fc.nat(255),
        fc.nat(255),
        fc.nat(3),
      )
      .map(([network, third, fourth, more]) => {
        const [first, second] = network.split('.').map(Number);
        return [first, Math.min(255, second! + more), third, fourth].join('.');
      }),
  );

  test('IPv4 is public where the registry has no entry', () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        expect(isPublicAddress(address)).toBe(!registry.check(address, 'ipv4'));
      }),
      { numRuns: 5000 },
    );
  });

  test('IPv6 of 2000::/3 is public where the registry has no entry', () => {
    const network = fc.constantFrom(
      '2001:0:',
      '2001:db8:',
      '2001:1ff:',
      '2001:200:',
      '2002:1:',
      '2620:4f:',
      '3fff:fff:',
    );
    const group = fc.nat(0xffff).map((value) => value.toString(16));
    const address = fc.oneof(
      fc.tuple(network, group, group).map(([start, one, other]) => `${start}${one}::${other}`),
      fc
        .tuple(fc.integer({ min: 0x2000, max: 0x3fff }), group)
        .map(([start, end]) => `${start.toString(16)}::${end}`),
    );
    fc.assert(
      fc.property(address, (ip) => {
        expect(isPublicAddress(ip)).toBe(!registry6.check(ip, 'ipv6'));
      }),
      { numRuns: 2000 },
    );
  });

  test('an IPv4 address is judged alike in all the IPv6 forms that lead to it', () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        const expected = isPublicAddress(address);
        for (const form of [
          `::ffff:${address}`,
          `::ffff:${hex(address)}`,
          `::${hex(address)}`,
          `64:ff9b::${hex(address)}`,
        ]) {
          expect([form, isPublicAddress(form)]).toEqual([form, expected]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('6to4 and Teredo are never public', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`2002:${hex(address)}::1`)).toBe(false);
        expect(isPublicAddress(`2001:0:${hex(address)}::1`)).toBe(false);
      }),
    );
  });

  test('no string makes it throw', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:.%]{0,30}$/), fc.ipV6());
    fc.assert(
      fc.property(text, (ip) => expect(typeof isPublicAddress(ip)).toBe('boolean')),
      { numRuns: 2000 },
    );
  });
});
