import { describe, expect, test } from 'vitest'
import type { Worker } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { testNamespace } from '../../../shared/worker/testing/machine-objects.ts'
import { type LocalLife, localLife, type RecordedObject } from '../../../test/recorded/local.ts'
import { key, type LocalSeed, newLocalSeed } from './testing/local-seed.ts'

/** The recording, in the namespace of the tests. */
const recorded = (): LocalLife<Worker> =>
  JSON.parse(JSON.stringify(localLife<Worker>('worker')).replaceAll('shoot--wk--ae', testNamespace))

const begin = async () => {
  const { input } = recorded()
  const { pools, secretRef } = input.object.spec
  const seed = await newLocalSeed({
    pools,
    secretRef,
    shoot: input.cluster.spec.shoot,
    cloudProfile: input.cluster.spec.cloudProfile,
  })
  await seed.makeSecret('ud', { userdata: 'IyEvYmluL3NoCg==' })
  return seed
}

/** Without what a server or a machine controller writes. */
const stable = ({
  kind,
  metadata,
  status: _,
  apiVersion: __,
  ...rest
}: RecordedObject | KubernetesObject) => ({
  kind: kind ?? 'Secret',
  name: metadata.name,
  labels: metadata.labels,
  ...rest,
})
const byName = (objects: readonly (RecordedObject | KubernetesObject)[]) =>
  objects
    .map(stable)
    .toSorted((one, other) => `${one.kind} ${one.name}`.localeCompare(`${other.kind} ${other.name}`))

const objectsOf = async (seed: LocalSeed) =>
  byName([
    ...(await seed.machineObjects('MachineClass')),
    ...(await seed.machineObjects('MachineDeployment')),
    ...(await seed.classSecrets()).map(({ metadata, data }) => ({ metadata, data })),
  ] as readonly (RecordedObject | KubernetesObject)[])

const play = async (seed: LocalSeed, action: string, patch: object) => {
  seed.requests.length = 0
  if (action === 'migrate') await seed.ask('migrate')
  else if (action !== 'create') {
    await seed.reconcile()
    await seed.patchSpec(Object(patch).spec ?? {})
  }
  await seed.converge()
}

describe('the recorded life of a Worker', () => {
  test('has after every step the objects and the status that were recorded', async () => {
    const { steps } = recorded()
    expect(steps.map(({ action }) => action.replace(/:.*/, ''))).toEqual([
      'create',
      'idle',
      'idle',
      'change',
      'migrate',
    ])
    const seed = await begin()
    for (const { action, patch = {}, objects, result } of steps) {
      await play(seed, action, patch)
      expect(await objectsOf(seed), action).toEqual(byName(objects))
      const { status } = await seed.live()
      expect(status?.providerStatus, action).toEqual(result?.status?.providerStatus)
      expect(status?.machineDeployments, action).toEqual(result?.status?.machineDeployments)
      const { type, state, description } = result?.status?.lastOperation ?? {}
      expect(status?.lastOperation, action).toMatchObject({ type, state, description })
    }
  })

  test('costs a claim and a status where nothing has changed (L1)', async () => {
    const { steps } = recorded()
    const seed = await begin()
    await play(seed, 'create', {})
    await play(seed, 'idle', {})
    expect(seed.requests.filter(call => !/^(get|list) /.test(call))).toEqual([
      'patch workers',
      'patch workers/status',
      // When the deployments were looked at: gardenlet waits for it (docs/contract/workers.md#order-of-writes).
      'patch workers/status',
      'patch workers/status',
    ])
    expect(steps[1]?.writeCount).toBe(8)
  })

  test('includes a takeover that writes none of the objects of the Go extension', async () => {
    const { steps } = recorded()
    const [made] = steps
    const seed = await begin()
    for (const { kind, metadata, apiVersion: _, ...rest } of made?.objects ?? []) {
      const { resourceVersion: __, ...kept } = metadata
      if (kind === undefined)
        await seed.kubernetes.create(
          { group: '', version: 'v1', plural: 'secrets', namespaced: true },
          { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', ...rest, metadata: kept },
        )
      else await seed.make(kind as 'MachineClass', metadata.name, { ...rest, metadata: kept })
    }
    await seed.controller.run()
    seed.requests.length = 0
    await seed.converge()
    const status = (await seed.live()).status
    expect(status?.lastOperation?.state).toBe('Succeeded')
    expect(seed.requests.filter(call => !/^(get|list) |workers/.test(call))).toEqual([])
    expect(key.namespace).toBe(testNamespace)
  })
})
