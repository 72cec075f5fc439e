import { expect, test } from 'vitest'
import { clientNetwork, normalizeAddress } from './network-address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['::ffff:9.9.9.9', '9.9.9.9'],
  ['::FFFF:0909:0909', '9.9.9.9'],
  ['0:0:0:0:0:ffff:9.9.9.9', '9.9.9.9'],
  ['::ffff:0.0.0.0', '0.0.0.0'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
  ['junk1', undefined],
  ['', undefined],
  ['unknown', undefined],
  ['1.2.3', undefined],
  ['1.2.3.4.5', undefined],
  ['999.1.1.1', undefined],
  ['example.org', undefined],
  ['[::1', undefined],
  ['::1]/?#', undefined],
])('R7: the address %j is %j', (text, address) => {
  expect(normalizeAddress(text)).toBe(address)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001::5:6:7:8', '2001:0:0:0::/64'],
  ['1:2:3::', '1:2:3:0::/64'],
  ['', ''],
])('R7: %j is counted as %j', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})
