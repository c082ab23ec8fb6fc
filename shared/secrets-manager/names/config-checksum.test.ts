import { describe, expect, test } from 'vitest'
import { type HashedStructure, structureHash } from './config-checksum.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Results of github.com/gohugoio/hashstructure v1.1.0 for these structures, without their zero values. */
const hashes: readonly (readonly [string, string, HashedStructure])[] = [
  [
    'texts',
    '6178420258531182942',
    {
      type: 'CertificateSecretConfig',
      fields: [
        ['Name', 'ca-provider-aws-controlplane'],
        ['CommonName', 'ca-provider-aws-controlplane'],
        ['CertType', 'ca'],
      ],
    },
  ],
  [
    'a duration in nanoseconds',
    '16864621506376382905',
    {
      type: 'CertificateSecretConfig',
      fields: [
        ['Name', 'ca-provider-aws-webhook'],
        ['CommonName', 'ca-provider-aws-webhook'],
        ['CertType', 'ca'],
        ['Validity', 2_592_000_000_000_000n],
      ],
    },
  ],
  [
    'lists of bytes',
    '12975657004766393713',
    {
      type: 'CertificateBundleSecretConfig',
      fields: [
        ['Name', 'ca-bundle'],
        ['CertificatePEMs', [bytes('first\n'), bytes('second\n')]],
      ],
    },
  ],
  [
    'lists of texts, a number and flags',
    '2802292208721632799',
    {
      type: 'CertificateSecretConfig',
      fields: [
        ['Name', 'server'],
        ['CommonName', 'server'],
        ['Organization', ['o1', 'o2']],
        ['DNSNames', ['a', 'b.c']],
        ['CertType', 'server'],
        ['PKCS', 1n],
        ['SkipPublishingCACertificate', true],
        ['IncludeCACertificateInServerChain', true],
      ],
    },
  ],
]

describe('the hash of a structure', () => {
  test.each(hashes)('of %s equals that of Go: %s', (_, hash, structure) => {
    expect(structureHash(structure)).toBe(hash)
  })

  test('ignores fields with the zero value of their type', () => {
    const fields: HashedStructure['fields'] = [['Name', 'a']]
    const zero: HashedStructure['fields'] = [
      ['Text', ''],
      ['Flag', false],
      ['Number', 0n],
      ['List', []],
      ['Bytes', new Uint8Array()],
      ['None', undefined],
    ]
    expect(structureHash({ type: 'T', fields: [...zero, ...fields] })).toBe(
      structureHash({ type: 'T', fields }),
    )
  })

  test('depends on the order of the fields and of the elements', () => {
    const of = (...list: readonly string[]) => structureHash({ type: 'T', fields: [['List', list]] })
    expect(of('a', 'b')).not.toBe(of('b', 'a'))
    const swapped = structureHash({
      type: 'T',
      fields: [
        ['B', '2'],
        ['A', '1'],
      ],
    })
    expect(swapped).not.toBe(
      structureHash({
        type: 'T',
        fields: [
          ['A', '1'],
          ['B', '2'],
        ],
      }),
    )
  })
})
