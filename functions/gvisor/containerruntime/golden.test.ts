import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { functionSeed } from '../../../shared/resources/testing/function-seed.ts'
import { digested, wholeObjects } from '../../../test/recorded/digests.ts'
import { definition } from './function.ts'
import {
  expectedDifferences,
  type RecordedManagedResource,
  type RecordedRuntime,
  type RecordedStep,
  recordedRuntime,
} from './testing/recorded-runtime.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-gvisor-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A build of the Go extension that was no release has an image that there is none of. */
const imagevectorOverwrite = ({ image: ref }: RecordedRuntime): string => {
  const file = join(folder, 'images.yaml')
  writeFileSync(file, JSON.stringify({ images: [{ name: 'runtime-gvisor-installation', ref }] }))
  return file
}

/** Without the names of Secrets (`expectedDifferences`). */
const shapeOfManagedResource = ({ metadata: { name, labels }, spec }: KubernetesObject) => {
  const { secretRefs, ...rest } = Object(spec)
  return { name, labels, secrets: secretRefs.length, ...rest }
}

const without = <T extends object>(object: T, ...keys: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))

const newWorld = async () => {
  const recorded = recordedRuntime()
  const { cluster, object } = recorded.input
  const { name, namespace = '' } = object.metadata
  const seed = await functionSeed({
    definition,
    namespace,
    settings: { imagevectorOverwrite: imagevectorOverwrite(recorded) },
    objects: [cluster, object],
  })
  const play = async ({ action, patch }: RecordedStep) => {
    await seed.clock.advance(5_000)
    if (action === 'change') await seed.change(name, patch ?? {})
    if (action === 'restore') {
      await seed.remove(name)
      await seed.make(without(object, 'status') as unknown as KubernetesObject, 'restore')
    } else if (action === 'delete') await seed.remove(name)
    else if (action !== 'create') await seed.ask(name, action === 'migrate' ? 'migrate' : 'reconcile')
    seed.writes()
    await seed.converge(name)
    return { writes: seed.writes(), result: await seed.read(name) }
  }
  return { seed, recorded, name, namespace, play }
}

describe('the recorded ContainerRuntime', () => {
  test('has the same objects after each of its steps, in no more writes', async () => {
    const { seed, recorded, namespace, play } = await newWorld()
    const after = new Map<string, readonly RecordedManagedResource[]>()
    const objectsOf = ({ objects }: RecordedStep) =>
      typeof objects === 'string'
        ? (after.get(/^<as after (.*)>$/.exec(objects)?.[1] ?? '') ?? [])
        : objects.managedResources
    for (const step of recorded.steps) {
      const { writes } = await play(step)
      const expected = objectsOf(step)
      after.set(step.action, expected)
      expect(
        writes.length,
        `${step.action}: ${expectedDifferences['writes of an attempt']}`,
      ).toBeLessThanOrEqual(step.writeCount)

      const names = expected.map(({ metadata }) => metadata.name)
      expect(await seed.managedResources(), step.action).toEqual(names)
      for (const managedResource of expected) {
        const { name } = managedResource.metadata
        const got = await seed.managedResource(name)
        expect(shapeOfManagedResource(got as KubernetesObject)).toEqual(
          shapeOfManagedResource(managedResource),
        )
        const [secret] = managedResource.secrets
        expect((await seed.objectsOf(name)).map(digested), `${name} after ${step.action}`).toEqual(
          secret?.objects['config.yaml'],
        )
        const stored = await seed.kubernetes.get(secrets, {
          namespace,
          name: String(got?.spec?.secretRefs[0]?.name),
        })
        expect(stored).toMatchObject({
          immutable: secret?.immutable,
          metadata: {
            name: expect.stringMatching(new RegExp(`^managedresource-${name}-[0-9a-f]{8}$`)),
            labels: secret?.labels,
          },
        })
      }
    }
    expect(recorded.steps.map(({ action }) => action)).toEqual([
      'create',
      ...['idle', 'idle', 'idle'],
      ...['change', 'migrate', 'restore', 'delete'],
    ])
  })

  test('ends each of its steps as it was recorded to', async () => {
    const { recorded, play } = await newWorld()
    for (const step of recorded.steps) {
      const { result } = await play(step)
      if (step.result === null) {
        expect(result, step.action).toBeUndefined()
        continue
      }
      const { lastOperation, ...status } = Object(result?.status)
      const recordedStatus = Object(step.result.status)
      expect(without(status, 'conditions'), step.action).toEqual(
        without(recordedStatus, 'conditions', 'lastOperation'),
      )
      expect(result?.metadata.finalizers, step.action).toEqual(step.result.metadata.finalizers)
      const words = without(lastOperation, 'lastUpdateTime')
      const described = step.lastOperations.map(({ type, description }) => [type, description].join(': '))
      expect(described, `${step.action}: ${expectedDifferences['a second run']}`).toContain(
        [words.type, words.description].join(': '),
      )
      expect(words).toMatchObject({ state: 'Succeeded', progress: 100 })
    }
  })

  test('of the Go extension is taken over without a write, and retains its names', async () => {
    const { seed, recorded, namespace, name } = await newWorld()
    const [created] = recorded.steps
    if (created === undefined || typeof created.objects === 'string') throw new Error('nothing is recorded')
    const other = await newWorld()
    await other.play(created)
    const { managedResourceKind } = await import('../../../shared/contract/resource-kinds.ts')
    for (const managedResource of created.objects.managedResources) {
      const { secrets: contents, ...object } = managedResource
      const rendered = await other.seed.objectsOf(object.metadata.name)
      const secretName = String(Object(object.spec).secretRefs[0].name)
      await seed.kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: secretName, namespace, labels: { ...contents[0]?.labels } },
        type: 'Opaque',
        immutable: true,
        data: Object.fromEntries(
          Object.entries(contents[0]?.objects ?? {}).map(([key, objects]) => [
            key,
            Buffer.from(
              wholeObjects(objects, rendered)
                .map(one => `---\n${JSON.stringify(one, null, 2)}\n`)
                .join(''),
            ).toString('base64'),
          ]),
        ),
      })
      await seed.kubernetes.create(managedResourceKind.resource, {
        ...object,
        apiVersion: 'resources.gardener.cloud/v1alpha1',
        metadata: { ...object.metadata, namespace },
      } as KubernetesObject)
    }
    await seed.resourceManager.work()
    await seed.converge(name)
    expect(seed.writes().filter(write => !write.includes('containerruntimes'))).toEqual([])
  })
})
