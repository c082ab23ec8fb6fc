import { describe, expect, expectTypeOf, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { clusterKind, isKindName, type KindName, kindNames, kindOf, kinds, type ObjectOf } from './kinds.ts'
import type { Cluster } from './schemas/cluster.ts'
import type { DNSRecord } from './schemas/dns-record.ts'

const minutes = (count: number) => count * 60_000

// docs/contract/kinds.md#overview and docs/contract/lifecycle.md#finalizers
const table: Readonly<
  Record<KindName, readonly [string, readonly string[], boolean, number | undefined, string]>
> = {
  Infrastructure: [
    'infrastructures',
    ['infra'],
    true,
    minutes(20),
    'extensions.gardener.cloud/infrastructure',
  ],
  DNSRecord: ['dnsrecords', ['dns'], true, minutes(3), 'extensions.gardener.cloud/dnsrecord'],
  BackupBucket: ['backupbuckets', ['bb'], false, minutes(3), 'extensions.gardener.cloud/backupbucket'],
  BackupEntry: ['backupentries', ['be'], false, minutes(3), 'extensions.gardener.cloud/backupentry'],
  Bastion: ['bastions', [], true, minutes(20), 'extensions.gardener.cloud/bastion'],
  Worker: ['workers', [], true, minutes(20), 'extensions.gardener.cloud/worker'],
  ControlPlane: ['controlplanes', ['cp'], true, minutes(3), 'extensions.gardener.cloud/controlplane'],
  Network: ['networks', [], true, minutes(3), 'extensions.gardener.cloud/network'],
  OperatingSystemConfig: [
    'operatingsystemconfigs',
    ['osc'],
    true,
    minutes(3),
    'extensions.gardener.cloud/operatingsystemconfigs',
  ],
  ContainerRuntime: [
    'containerruntimes',
    ['cr'],
    true,
    minutes(3),
    'extensions.gardener.cloud/containerruntime',
  ],
  Extension: ['extensions', ['ext'], true, minutes(3), 'extensions.gardener.cloud/chosen'],
  SelfHostedShootExposure: [
    'selfhostedshootexposures',
    ['exp'],
    true,
    undefined,
    'extensions.gardener.cloud/selfhostedshootexposure',
  ],
}

describe('the registry of kinds', () => {
  test.each(kindNames)('the registry knows the API names of %s and the needs of its backend', kind => {
    const [plural, shortNames, namespaced, attemptDeadlineMs, finalizer] = table[kind]
    expect(kinds[kind]).toMatchObject({
      kind,
      plural,
      singular: kind.toLowerCase(),
      listKind: `${kind}List`,
      shortNames,
      namespaced,
      resource: { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural, namespaced },
      attemptDeadlineMs,
    })
    expect(kinds[kind].finalizer('chosen')).toBe(finalizer)
  })

  test('only an Extension backend chooses its finalizer', () => {
    expect(() => kinds.Extension.finalizer()).toThrow('choose its own finalizer suffix')
    expect(kinds.DNSRecord.finalizer()).toBe('extensions.gardener.cloud/dnsrecord')
  })

  test('the registry knows the Cluster, which is no extension kind', () => {
    expect(clusterKind).toMatchObject({ kind: 'Cluster', plural: 'clusters', namespaced: false })
    expect(kindOf('Cluster')).toBeUndefined()
  })

  test.each(['Shoot', 'dnsrecord', 'constructor', '__proto__', ''])('%j is not a kind', name => {
    expect(isKindName(name)).toBe(false)
    expect(kindOf(name)).toBeUndefined()
  })

  test('each kind has an object type that is a Kubernetes object', () => {
    expectTypeOf<ObjectOf<'DNSRecord'>>().toEqualTypeOf<DNSRecord>()
    expectTypeOf<ObjectOf<KindName>>().toExtend<KubernetesObject>()
    expectTypeOf<Cluster>().toExtend<KubernetesObject>()
    expectTypeOf<DNSRecord['spec']['recordType']>().toEqualTypeOf<'A' | 'AAAA' | 'CNAME' | 'TXT'>()
    expectTypeOf<DNSRecord['spec']>().not.toHaveProperty('vlaues')
  })
})
