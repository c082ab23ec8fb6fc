import { describe, expect, test } from 'vitest'
import { bundleChecksum, certificateChecksum } from './config-checksum.ts'
import { caChecksumOf, dataChecksum, secretName } from './secret-name.ts'

const ca = (name: string, validityMs?: number) =>
  ({ kind: 'ca', name, commonName: name, ...(validityMs && { validityMs }) }) as const

describe('the name of a generated Secret', () => {
  test.each([
    ['ca-provider-aws-controlplane', undefined, '', 'ca-provider-aws-controlplane-bdef740c'],
    ['ca-provider-aws-controlplane', undefined, '1772359200', 'ca-provider-aws-controlplane-bdef740c-6130c'],
    ['ca-provider-aws-controlplane', undefined, '1775037600', 'ca-provider-aws-controlplane-bdef740c-29767'],
    ['ca-provider-aws-webhook', 30 * 86_400_000, '', 'ca-provider-aws-webhook-c98c8d03'],
  ])('of the CA %s (valid for %s ms, rotated "%s") is %s', (config, validityMs, rotation, name) => {
    const configChecksum = certificateChecksum(ca(config, validityMs))
    expect(secretName({ config, configChecksum, rotation })).toBe(name)
  })

  test('of a bundle depends on its certificates and their order', () => {
    expect(bundleChecksum('ca-bundle', ['first\n', 'second\n'])).toBe('12975657004766393713')
    expect(bundleChecksum('ca-bundle', ['second\n', 'first\n'])).not.toBe('12975657004766393713')
  })

  test('of a certificate depends on its CA, although its own checksum omits the CA', () => {
    const config = { kind: 'server', name: 'a', commonName: 'a', signedBy: { ca: 'ca' } } as const
    expect(certificateChecksum({ ...config, signedBy: { ca: 'other' } })).toBe(certificateChecksum(config))
    const configChecksum = certificateChecksum(config)
    const nameBy = (caChecksum: string) =>
      secretName({ config: 'a', configChecksum, caChecksum, rotation: '' })
    expect(nameBy('0a')).not.toBe(nameBy('0b'))
  })

  test.each([
    ['common name', { commonName: 'b' }],
    ['organization', { organization: ['b'] }],
    ['host names', { dnsNames: ['b'] }],
    ['addresses', { ipAddresses: ['10.0.0.1'] }],
    ['kind', { kind: 'both' }],
    ['validity', { validityMs: 1 }],
    ['part of the CA in it', { skipPublishingCaCertificate: true }],
    ['chain', { includeCaCertificateInServerChain: true }],
  ] as const)('depends on its %s', (_, change) => {
    const config = { kind: 'server', name: 'a', commonName: 'a', signedBy: { ca: 'ca' } } as const
    expect(certificateChecksum({ ...config, ...change })).not.toBe(certificateChecksum(config))
  })
})

describe('the checksum of data', () => {
  // sha256(sha256hex("crt") + sha256hex("key")), computed with coreutils.
  const checksum = 'b9328bf735a4a3031664f366a186724f2cdab615f31dddb945982a7ffc461714'

  test('is that of the values, ordered by key', () => {
    expect(dataChecksum({ 'ca.key': btoa('key'), 'ca.crt': btoa('crt') })).toBe(checksum)
    expect(dataChecksum({ a: btoa('crt'), b: btoa('key') })).toBe(checksum)
  })

  test('is cut to the maximum length of a label', () => {
    expect(caChecksumOf({ 'ca.key': btoa('key'), 'ca.crt': btoa('crt') })).toBe(checksum.slice(0, 63))
  })
})
