import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { differencesOfObjects } from '../../../shared/manifests/testing/differences.ts'
import { networkCases } from '../../../test/beside/beside.ts'
import { digested } from '../../../test/recorded/digests.ts'
import { type RecordedNetworkStep, recordedNetwork } from '../../../test/recorded/networks.ts'
import { fixes, isNotWatched } from './testing/fixes.ts'
import { type NetworkSeed, newSeed } from './testing/seed.ts'

const resourceName = 'extension-networking-calico-config'

/** A recording has the name of a CRD and the fields that the extension adds to it, and digests of other objects. */
const recordedForm = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  objects.map(object => {
    if (object.kind !== 'CustomResourceDefinition') return digested(object)
    const { name, labels, annotations } = object.metadata
    return {
      apiVersion: '',
      kind: object.kind,
      metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    }
  })

/** A recording has the names of dashboards and not their versions. */
const withoutContent = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  objects.map(({ kind, metadata: { name, labels }, ...fields }) => ({
    apiVersion: '',
    kind,
    metadata: { name, ...(labels && { labels }) },
    ...(kind !== 'ConfigMap' && { spec: fields.spec }),
  }))

/** The desired objects of one recorded step. */
const play = async (seed: NetworkSeed, { action }: RecordedNetworkStep): Promise<void> => {
  if (action === 'idle' || action === 'migrate') await seed.ask(action === 'idle' ? 'reconcile' : 'migrate')
  if (action === 'delete') await seed.remove()
  if (action === 'restore') {
    // In the next seed the object is a new one.
    await seed.remove()
    await seed.create('restore')
  }
  seed.requests.length = 0
  await seed.converge()
}

describe('a recorded Network', () => {
  describe.each(networkCases)('%s', name => {
    const recorded = recordedNetwork(name)
    const steps = recorded.steps

    const start = () =>
      newSeed({
        namespace: String(recorded.input.object.metadata.namespace),
        spec: recorded.input.object.spec,
        shoot: recorded.input.cluster.spec.shoot,
      })

    test('has the same objects, statuses and life after each step', async () => {
      const seed = await start()
      for (const step of steps) {
        await play(seed, step)
        expect(await seed.isGone(), step.action).toBe(step.result === null)
        await expectObjects(seed, step)
        if (step.result !== null) await expectStatus(seed, step)
      }
      expect(steps.length).toBe(name === 'calico-default' ? 7 : 3)
    })

    test('has all 63 objects in the order in which they were recorded, kind by kind', async () => {
      const seed = await start()
      await seed.step()
      const kindsOf = (objects: readonly KubernetesObject[]) => [...new Set(objects.map(({ kind }) => kind))]
      const expected = steps[0]?.managedResource?.objects ?? []
      const objects = await seed.objects()
      expect(kindsOf(objects)).toEqual(kindsOf(expected))
      expect(objects).toHaveLength(expected.length)
      if (name === 'calico-default') expect(objects).toHaveLength(63)
    })

    test('costs the writes that remain without the defects, and an idle one fewer than half of the requests', async () => {
      const seed = await start()
      for (const step of steps) {
        await play(seed, step)
        const { fewerWrites } = fixes[step.action]
        expect(seed.writes(), step.action).toHaveLength(step.writeCount - fewerWrites)
        if (step.action === 'idle') expect(seed.requests.length).toBeLessThan(step.requests / 2)
      }
    })
  })
})

const expectObjects = async (seed: NetworkSeed, step: RecordedNetworkStep): Promise<void> => {
  const resource = await seed.managedResource()
  if (step.managedResource === undefined) expect(resource, step.action).toBeUndefined()
  else {
    const { labels = {}, annotations = {} } = resource?.metadata ?? {}
    const { metadata, spec } = step.managedResource.resource
    expect(labels).toEqual(metadata.labels)
    // The name of the Secret ends in a checksum of the very text.
    const named = (value: unknown) =>
      JSON.stringify(value).replaceAll(/(managedresource-[a-z-]+-)[0-9a-f]{8}|secret-[0-9a-f]{8}/g, '$1')
    expect(named(annotations)).toBe(named(metadata.annotations))
    expect({ ...resource?.spec, secretRefs: named(resource?.spec?.secretRefs) }).toEqual({
      ...spec,
      secretRefs: named(spec?.secretRefs),
    })
    const lines = differencesOfObjects(step.managedResource.objects, recordedForm(await seed.objects()))
    expect(lines.join('\n')).toBe('')
  }
  const expected = withoutContent(step.seedObjects).filter(object => !isNotWatched(object))
  expect(differencesOfObjects(expected, withoutContent(await seed.monitoring())).join('\n')).toBe('')
}

const expectStatus = async (seed: NetworkSeed, { action, result }: RecordedNetworkStep): Promise<void> => {
  const { status, metadata } = await seed.live()
  const { lastOperation, ...expected } = result?.status ?? {}
  expect(status, action).toMatchObject(expected)
  const { lastUpdateTime: _, ...operation } = lastOperation ?? {}
  expect(status?.lastOperation, action).toMatchObject(operation)
  expect(metadata.finalizers ?? []).toEqual(result?.metadata.finalizers ?? [])
  expect(Object.keys(metadata.annotations ?? {})).not.toContain('gardener.cloud/operation')
}

test('nothing of the shoot is in another ManagedResource', async () => {
  const seed = await newSeed()
  await seed.step()
  expect((await seed.managedResource())?.metadata.name).toBe(resourceName)
})
