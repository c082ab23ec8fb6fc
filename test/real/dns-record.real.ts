import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { route53Account } from '../../functions/aws/dnsrecord/testing/route53-account.ts'
import { annotations, apiVersion, labels } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { accessManifests, bestDefinitions, define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { type RealSeed, startRealSeed } from './real-seed.ts'
import { describeWith } from './with-part.ts'

const namespace = 'shoot--foo--bar'
const { resource } = kinds.DNSRecord
const finalizer = kinds.DNSRecord.finalizer()

const shoot: readonly KubernetesObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
  },
  {
    apiVersion,
    kind: clusterKind.kind,
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'dns', namespace },
    data: { accessKeyID: btoa('AKIAEXAMPLE'), secretAccessKey: btoa('example') },
  },
]

const recordOf = (name: string, dnsName: string, values: readonly string[]): KubernetesObject => ({
  apiVersion,
  kind: 'DNSRecord',
  metadata: {
    name,
    namespace,
    annotations: {
      [annotations.operation]: 'reconcile',
      [annotations.timestamp]: '2026-11-21T12:00:00.000000001Z',
    },
  },
  spec: {
    type: 'aws-route53',
    secretRef: { name: 'dns', namespace },
    name: dnsName,
    recordType: 'A',
    values,
    ttl: 60,
  },
})

describeWith('kube', 'a DNSRecord on kube-apiserver', programs => {
  describe.each(bestDefinitions)('with $whose CRDs', ({ load }) => {
    let cluster: RealCluster
    let seed: RealSeed
    let zone: string
    const account = () => route53Account(seed.aws)

    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      await define(cluster.kubernetes, await load())
      await cluster.create([...(await accessManifests()), ...shoot])
      seed = await startRealSeed(cluster)
      zone = await account().createZone('example.com')
    })
    afterAll(async () => {
      await seed?.close()
      await cluster?.close()
    })

    const get = (name: string) => cluster.kubernetes.get(resource, { name, namespace })

    /** Returns the object once it has this last operation. */
    const untilEnded = async (
      name: string,
      lastOperation: { readonly type: string; readonly state: string },
    ) => {
      await expect.poll(() => get(name)).toMatchObject({ status: { lastOperation } })
      return get(name)
    }

    /** Changes the spec and requests a reconcile, as gardenlet does. */
    const ask = (name: string, spec: object = {}) =>
      cluster.kubernetes.patch(
        resource,
        { name, namespace },
        { metadata: { annotations: { [annotations.operation]: 'reconcile' } }, spec },
      )

    const remove = async (name: string) => {
      const key = { name, namespace }
      await cluster.kubernetes.patch(resource, key, {
        metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
      })
      await cluster.kubernetes.delete(resource, key)
    }

    test('is created, changed and deleted', async () => {
      await cluster.kubernetes.create(resource, recordOf('life', 'life.example.com', ['192.0.2.1']))
      const created = await untilEnded('life', { type: 'Create', state: 'Succeeded' })
      expect(created?.metadata.annotations).not.toHaveProperty([annotations.operation])
      expect(created?.metadata).toMatchObject({ generation: 1, finalizers: [finalizer] })
      expect(created?.status).toMatchObject({ observedGeneration: 1, zone, lastOperation: { progress: 100 } })
      expect(await account().records(zone)).toEqual(['A life.example.com. 60 192.0.2.1'])

      await ask('life', { values: ['192.0.2.2'] })
      const changed = await untilEnded('life', { type: 'Reconcile', state: 'Succeeded' })
      expect(changed?.status).toMatchObject({ observedGeneration: 2 })
      expect(await account().records(zone)).toEqual(['A life.example.com. 60 192.0.2.2'])

      await remove('life')
      await expect.poll(() => get('life')).toBeUndefined()
      expect(await account().records(zone)).toEqual([])
    })

    test('reports its error, and recovers once the cause is fixed', async () => {
      await cluster.kubernetes.create(resource, recordOf('ill', 'ill.example.org', ['192.0.2.3']))
      const ill = await untilEnded('ill', { type: 'Create', state: 'Error' })
      expect(ill?.status).toMatchObject({
        lastError: {
          codes: ['ERR_CONFIGURATION_PROBLEM'],
          description: expect.stringContaining('ill.example.org'),
        },
      })

      await ask('ill', { name: 'well.example.com' })
      const well = await untilEnded('ill', { type: 'Create', state: 'Succeeded' })
      expect(well?.status).not.toHaveProperty('lastError')
      await remove('ill')
      await expect.poll(() => get('ill')).toBeUndefined()
    })

    test('is reconciled although the API server was down meanwhile', async () => {
      await cluster.kubernetes.create(resource, recordOf('kept', 'kept.example.com', ['192.0.2.4']))
      await untilEnded('kept', { type: 'Create', state: 'Succeeded' })
      await cluster.server.restart()
      await ask('kept', { values: ['192.0.2.5'] })
      await untilEnded('kept', { type: 'Reconcile', state: 'Succeeded' })
      expect(await account().records(zone)).toEqual(['A kept.example.com. 60 192.0.2.5'])
    })

    test('leaves no dead letter, no event without a Trigger and no unknown call', () => {
      expect(seed.broker.deadLetters).toEqual([])
      expect(seed.broker.counts()).toMatchObject({ unmatched: 0, refused: 0 })
      expect(seed.aws.notBuilt.all()).toEqual([])
    })
  })
})
