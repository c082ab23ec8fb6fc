import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Cluster, Network } from '../../../shared/contract/objects.ts'
import { idOf } from '../../../shared/manifests/testing/differences.ts'
import { decodeNetworkConfig } from './config/calico.ts'
import { desiredNetwork } from './desired-network.ts'
import { imageTable } from './image-table.ts'
import { calicoValues } from './input/calico-values.ts'
import vectors from './testing/rendered-by-go.json' with { type: 'json' }

interface Vector {
  readonly name: string
  readonly spec: Network['spec']
  readonly shoot: Cluster['spec']['shoot']
  readonly nonPrivileged?: boolean
  /** Of each object that is not as without a word: the checksum, or null for one that is not there. */
  readonly objects: Readonly<Record<string, string | null>>
}

/** Keys in order; null is nothing. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonical(inner)]),
  )
}

const checksumOf = (object: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(object)))
    .digest('hex')
    .slice(0, 12)

const rendered = ({ spec, shoot, nonPrivileged = false }: Omit<Vector, 'name' | 'objects'>) => {
  const network: Network = {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Network',
    metadata: { name: 'network', namespace: 'shoot--foo--bar' },
    spec,
  }
  const cluster: Cluster = {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'shoot--foo--bar' },
    spec: { cloudProfile: {}, shoot },
  }
  const config = decodeNetworkConfig(spec.providerConfig)
  return desiredNetwork(calicoValues({ network, config, cluster, nonPrivileged }), imageTable).objects
}

const checksumsOf = (vector: Vector): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rendered(vector)
      .filter(({ kind }) => kind !== 'CustomResourceDefinition')
      .map(object => [idOf(object), checksumOf(object)]),
  )

/** Made by the Go extension's own templates and values: each object that they have, but for CRDs. */
const cases = vectors as unknown as readonly Vector[]

describe('the same objects as the Go extension renders', () => {
  test.each(cases.map(vector => [vector.name, vector] as const))('for %s', (_, vector) => {
    const expected = Object.entries({ ...cases[0]?.objects, ...vector.objects }).filter(
      ([, checksum]) => checksum !== null,
    )
    expect(checksumsOf(vector)).toEqual(Object.fromEntries(expected))
  })
})

// The Go extension's chart reads the range only from the shoot's status (`podCIDRv6`). Another text would roll calico-node.
test('the range of IPv6 is empty where the status of the shoot has none, as in the Go extension', () => {
  const text = JSON.stringify(
    rendered({
      spec: {
        type: 'calico',
        podCIDR: '2001:db8:3::/48',
        serviceCIDR: '2001:db8:4::/108',
        ipFamilies: ['IPv6'],
      },
      shoot: { spec: { kubernetes: { version: '1.33.3' } } },
    }),
  )
  expect(/"CALICO_IPV6POOL_CIDR","value":"(.*?)"/.exec(text)?.[1]).toBe('')
  expect(/"blockSize":122,"cidr":"(.*?)"/.exec(text)?.[1]).toBe('')
})
