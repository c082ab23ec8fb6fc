import assert from 'node:assert/strict'
import { kinds } from '../../shared/contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { createSteppedSeed, type SteppedSeed } from './create-stepped-seed.ts'
import type { SeedExample } from './read-example.ts'

/** A function under test, and the objects that it creates for an example. */
export interface PromisingFunction {
  readonly definition: FunctionDefinition
  readonly example: SeedExample
  /** Resource of the objects that the function creates. */
  readonly resource: GroupVersionResource
  /** Names of the objects that the function creates. */
  readonly made: readonly string[]
  /** A foreign object of the same resource. */
  readonly foreign?: KubernetesObject
  /** True if its objects name their owner, so that foreign ones can be recognized. Default: false. */
  readonly marksOwner?: boolean
}

/** A promise of every function. `hold` rejects with an `AssertionError` if the function breaks it. */
export interface FunctionPromise {
  readonly promise: string
  readonly hold: () => Promise<void>
}

/** The tests crash the process at each of its first writes, up to this number. */
const writes = 8

/**
 * Returns the promises of every function for a test runner.
 *
 * @example
 * for (const { promise, hold } of functionPromises({ definition, example, resource, made: ['network-rose'] }))
 *   test(promise, hold)
 */
export const functionPromises = (fn: PromisingFunction): readonly FunctionPromise[] => {
  const { definition, example, resource, made, foreign, marksOwner = false } = fn
  const { object, beside } = example
  const inSeed = (hold: (seed: SteppedSeed) => Promise<void>) => async () => {
    const seed = createSteppedSeed({ definition, objects: beside })
    try {
      await hold(seed)
    } finally {
      seed.close()
    }
  }
  const namesIn = async (seed: SteppedSeed) =>
    (await seed.kubernetes.list(resource)).items.map(({ metadata }) => metadata.name).sort()
  const stateOf = (live: KubernetesObject): unknown => Object(live.status).lastOperation?.state

  const promises: readonly FunctionPromise[] = [
    {
      promise: 'an unchanged object costs a claim and a status, and no other write',
      hold: inSeed(async seed => {
        await seed.apply(object)
        await seed.apply(object)
        const { plural } = kinds[definition.kind].resource
        const { name } = object.metadata
        assert.deepEqual(
          new Set(seed.writes()),
          new Set([`patch ${plural} ${name}`, `patch ${plural}/status ${name}`]),
        )
      }),
    },
    {
      promise: 'if a step dies at any write, the next step completes its work',
      hold: async () => {
        for (const when of ['before', 'after'] as const)
          for (let write = 1; write <= writes; write++)
            await inSeed(async seed => {
              const before = await namesIn(seed)
              seed.dieAt(write, when)
              assert.equal(stateOf(await seed.apply(object)), 'Succeeded')
              assert.deepEqual(await namesIn(seed), [...before, ...made].sort())
              seed.dieAt(write, when)
              assert.equal(await seed.remove(object), undefined)
            })()
      },
    },
    {
      promise: 'the deletion removes the created objects and nothing else',
      hold: inSeed(async seed => {
        if (foreign !== undefined) await seed.kubernetes.create(resource, foreign)
        const before = await namesIn(seed)
        await seed.apply(object)
        assert.equal(await seed.remove(object), undefined)
        assert.deepEqual(await namesIn(seed), before)
      }),
    },
  ]
  if (!marksOwner || foreign === undefined) return promises
  return [
    ...promises,
    {
      promise: 'an object of the same name with another owner is unchanged, and the status reports it',
      hold: inSeed(async seed => {
        const [name = foreign.metadata.name] = made
        await seed.kubernetes.create(resource, { ...foreign, metadata: { ...foreign.metadata, name } })
        assert.equal(stateOf(await seed.apply(object)), 'Error')
        await seed.remove(object)
        assert.deepEqual(await namesIn(seed), [name])
      }),
    },
  ]
}
