import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type MachinesSeed, machinesSeed } from './testing/machines-seed.ts'
import {
  type RecordedMachines,
  type RecordedMachinesStep,
  recordedCases,
  recordedMachines,
} from './testing/recordings.ts'

/** Pools whose hash has the id of a real server group, which the recordings do not have. */
const pooled = /(-[ab]-z\d)-[0-9a-f]{5}(?!\w)/g

const withoutUnknown = <T>(value: T, isUnknown: boolean): T =>
  isUnknown ? (JSON.parse(JSON.stringify(value).replaceAll(pooled, '$1-<hash>')) as T) : value

/** Fields that other actors or the API server write. */
const bare = ({ metadata, ...object }: Partial<KubernetesObject>): object => {
  const { apiVersion: _, kind: __, status: ___, type: ____, ...rest } = object as Record<string, unknown>
  const { name, labels, annotations } = metadata ?? { name: '' }
  return { ...rest, metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) } }
}

const inOrder = (objects: readonly Partial<KubernetesObject>[]) =>
  objects
    .toSorted((one, other) => ((one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? -1 : 1))
    .map(bare)

const statusOf = async (seed: MachinesSeed) => {
  const { providerStatus, machineDeployments, inPlaceUpdates } = (await seed.live())?.status ?? {}
  return {
    ...(providerStatus && { providerStatus }),
    ...(machineDeployments && { machineDeployments }),
    ...(inPlaceUpdates && { inPlaceUpdates }),
  }
}

/** Machines in the error, which the imitation let fail. */
const failedIn = (description = '') => {
  const [, name = '', text = ''] = / occurred: \[?"([^"]+)": (.*?)\]?$/.exec(description) ?? []
  return name === '' ? [] : [{ name, text: `${text}]` }]
}

/** Changes that a recording made beside the Worker. */
const prepare = async (seed: MachinesSeed, { action }: RecordedMachinesStep, { input }: RecordedMachines) => {
  if (!action.startsWith('CloudProfile without')) return
  const { cloudProfile } = input.cluster.spec
  await seed.changeCluster({
    cloudProfile: {
      ...cloudProfile,
      spec: { ...cloudProfile.spec, providerConfig: { machineImages: [] } },
    },
  })
}

const isFailing = (name: string) => name.startsWith('error-')

describe('a recorded life of a Worker', () => {
  test.each(recordedCases.filter(name => !isFailing(name)))('%s', async name => {
    const recording = recordedMachines(name)
    const hasGroups = JSON.stringify(recording).includes('serverGroupDependencies')
    const failing = failedIn(recording.steps[0]?.lastError?.description)
    const seed = await machinesSeed(recording.input, {
      failing,
      readShootState: async () => ({ spec: { extensions: [] } }),
    })
    for (const step of recording.steps) {
      const { action, patch, result, lastError } = step
      await prepare(seed, step, recording)
      if (action === 'delete') await seed.remove()
      else if (action === 'migrate' || action === 'restore') await seed.ask(action)
      else if (action !== 'create') await seed.ask('reconcile', patch)
      const earlier = seed.seed.requests.length
      const { length } = seed.nova.calls
      await seed.run()
      for (const kind of ['machineClasses', 'machineDeployments', 'machineClassSecrets'] as const)
        expect(
          withoutUnknown(inOrder((await seed.objects())[kind]), hasGroups),
          `${action}: ${kind}`,
        ).toEqual(withoutUnknown(inOrder(result[kind]), hasGroups))
      const live = await seed.live()
      if (result.status === null) expect(live).toBeUndefined()
      else expect(await statusOf(seed), action).toEqual(result.status)
      expect(live?.status?.lastError?.codes, action).toEqual(lastError?.codes)
      if (action === 'idle')
        expect(seed.writesSince(earlier).filter(({ resource }) => !resource.startsWith('workers'))).toEqual(
          [],
        )
      if (!hasGroups) expect(seed.nova.calls.slice(length), action).toEqual([])
    }
    expect(seed.nova.names()).toEqual([])
    seed.seed.close()
  })
})

/** The places that the Go extension's texts do not name: pool or field. */
const pool = (field: string) => `(worker pool "a", spec.pools[0].${field}). `
const places: Readonly<Record<string, string>> = {
  'error-image-unknown': `: the cloud profile has no image of this version ${pool('machineImage')}Choose`,
  'error-machine-type-unknown': `${pool('machineType')}Choose one of its spec.machineTypes`,
  'error-policy-unknown': `${pool('providerConfig.serverGroup.policy')}Choose a policy that this Nova supports`,
  'error-unknown-field': `strict decoding error: unknown field "nope" ${pool('providerConfig')}Correct it`,
}

describe('a recorded error of a Worker', () => {
  test.each(Object.keys(places))('%s names pool, field and a way out, and creates nothing', async name => {
    const { input } = recordedMachines(name)
    const seed = await machinesSeed(input)
    await seed.run()
    const error = (await seed.live())?.status?.lastError
    expect(error?.description).toContain(places[name])
    // The Go extension has no code for these (D27).
    expect(error?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect((await seed.objects()).machineClasses).toEqual([])
    expect(seed.nova.names()).toEqual([])
    seed.seed.close()
  })

  test('wrong credentials do not matter without server groups', async () => {
    const { input } = recordedMachines('error-wrong-password')
    const seed = await machinesSeed(input)
    seed.nova.interfereWith(() => ({ status: 401, body: { error: { title: 'Unauthorized' } } }))
    await seed.run()
    expect((await seed.live())?.status?.lastOperation?.state).toBe('Succeeded')
    expect(seed.nova.calls).toEqual([])
    seed.seed.close()
  })
})
