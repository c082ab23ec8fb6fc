import { expect } from 'vitest'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { lifeRecordings } from '../../test/beside/beside.ts'
import { type RecordedLifeStep, recordedLifeOf } from '../../test/recorded/lives.ts'
import { extensionSeed } from './extension-seed.ts'
import { isOwnWrite, type LifeStep, playLife, recordedStep } from './play-life.ts'

interface RecordedResource {
  readonly metadata: KubernetesObject['metadata']
  readonly spec: Readonly<Record<string, unknown>>
  readonly secrets: readonly { readonly objects: Readonly<Record<string, readonly KubernetesObject[]>> }[]
}

type Step = RecordedLifeStep & {
  /** `<as after X>`: the same as after that step. */
  readonly objects: readonly RecordedResource[] | string
}

/**
 * Runs an Extension through a recorded life. After each step, compares the reported statuses, the object, and the
 * ManagedResources with the manifests of their Secrets. Differences:
 * - L2: no second run after a restore.
 * - L3: a wait reports its reason and progress; the Go extension stays at 1 % in one long step.
 * - An idle reconcile writes only the object itself.
 * - The names of manifest Secrets contain the checksum of other bytes with the same meaning.
 */
export const playExtension = async (
  definition: FunctionDefinition,
  name: (typeof lifeRecordings)[number],
): Promise<void> => {
  const recorded = recordedLifeOf<Step>(name)
  const { object, cluster } = recorded.input
  const seed = await extensionSeed(definition, { object, ...(cluster && { cluster }) })
  await playLife(seed, recorded, async (step, replayed) => {
    const { writes, ...shown } = replayed
    expect(withoutWaits(shown), step.action).toEqual(recordedStep(step))
    expect(await seed.managedResources(), step.action).toEqual(resourcesAfter(recorded.steps, step as Step))
    if (step.action === 'idle') expect(writes.filter(write => !isOwnWrite('extensions')(write))).toEqual([])
    if (step.result === null || step.action === 'migrate') expect(await seed.secretNames()).toEqual([])
  })
}

const withoutWaits = (step: LifeStep): LifeStep => ({
  ...step,
  states: step.states.filter(state => {
    const { state: is, progress } = Object(state)
    return is !== 'Processing' || progress === 1
  }),
})

const resourcesAfter = (steps: readonly Step[], { objects }: Step): readonly object[] => {
  if (typeof objects === 'string') {
    const [, action = ''] = /^<as after (.+)>$/.exec(objects) ?? []
    const same = steps.find(step => step.action === action)
    if (same === undefined) throw new Error(`no step ${action}`)
    return resourcesAfter(steps, same)
  }
  return objects.map(({ metadata, spec, secrets }) => ({
    name: metadata.name,
    isDeleting: false,
    spec: { ...spec, secretRefs: secrets.length },
    // A status is never applied.
    objects: secrets.flatMap(secret =>
      Object.values(secret.objects).flatMap(all => all.map(({ status: _, ...object }) => object)),
    ),
  }))
}
