import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { recordIn } from '../../shared/secondary/secondary.ts'
import type { TestCloud, TestThing } from './cloud/cloud-under-test.ts'
import { createSteppedSeed, type SteppedSeed, type SteppedSeedOptions } from './create-stepped-seed.ts'
import type { SeedExample } from './read-example.ts'

/** A function under test, an example of its objects, and the cloud that it changes. */
export interface PromisingFunction extends Pick<SteppedSeedOptions, 'settings' | 'waits' | 'others'> {
  readonly definition: FunctionDefinition
  readonly example: SeedExample
  /**
   * Creates a new cloud for each promise. All that exists in it from the start belongs to others. `clock`: that of the
   * seed, for a cloud whose work takes time.
   */
  readonly cloud: (given: { readonly clock: VirtualClock }) => TestCloud | Promise<TestCloud>
  /** Names of the things that the function creates for the example, in any order. */
  readonly made: readonly string[]
  /**
   * False if its things name no owner, so that it cannot recognize things of others. If true, `cloud` must return
   * owners and have `add`.
   *
   * @default true
   */
  readonly marksOwner?: boolean
}

/** A promise of every function. `hold` rejects with an `AssertionError` if the function breaks it. */
export interface FunctionPromise {
  readonly promise: string
  readonly hold: () => Promise<void>
}

/**
 * Returns the promises of every function for a test runner.
 *
 * @example
 * const cloud = () => objectCloud({ resources: [configMaps] })
 * for (const { promise, hold } of functionPromises({ definition, example, cloud, made: ['configmaps/network-rose'] }))
 *   test(promise, hold)
 */
export const functionPromises = (fn: PromisingFunction): readonly FunctionPromise[] => {
  const { object } = fn.example
  const { kind, secondary } = fn.definition
  const promises: readonly FunctionPromise[] = [
    {
      promise:
        secondary === undefined
          ? 'an unchanged object costs a claim and a status, and no other write'
          : 'an unchanged object costs a claim and a record, and no other write',
      hold: () =>
        inSeed(fn, async seed => {
          await seed.apply(object)
          await seed.apply(object)
          const { plural } = kinds[kind].resource
          const { name } = object.metadata
          const status = secondary === undefined ? [`patch ${plural}/status ${name}`] : []
          assert.deepEqual(new Set(seed.writes()), new Set([`patch ${plural} ${name}`, ...status]))
          assert.deepEqual(writingCalls(seed), [])
        }),
    },
    {
      promise: 'if a step dies at any write or call of the cloud, the next step completes its work',
      hold: () => diesEverywhere(fn),
    },
    {
      promise: 'the deletion removes the created things and nothing else',
      hold: () =>
        inSeed(fn, async (seed, things) => {
          const before = await things()
          await succeed(fn, seed)
          assert.deepEqual(namesOf(without(await things(), before)).toSorted(), fn.made.toSorted())
          assert.equal(await seed.remove(object), undefined)
          await leaves(things, before)
        }),
    },
  ]
  if (fn.marksOwner === false) return promises
  return [
    ...promises,
    {
      promise:
        'a thing of the same name with another owner is unchanged, and the status reports it if it is in the way',
      hold: () => respectsOwners(fn),
    },
  ]
}

/** Crashes the process at each action of an uninterrupted creation and deletion, before and after its effect. */
const diesEverywhere = async (fn: PromisingFunction): Promise<void> => {
  const { object } = fn.example
  let created: readonly TestThing[] = []
  let actions = 0
  await inSeed(fn, async (seed, things) => {
    await succeed(fn, seed)
    created = await things()
    actions = seed.writes().length + seed.calls.length
    await seed.remove(object)
    actions = Math.max(actions, seed.writes().length + seed.calls.length)
  })
  for (const when of ['before', 'after'] as const)
    for (let action = 1; action <= actions; action++)
      await inSeed(fn, async (seed, things) => {
        const before = await things()
        seed.dieAt(action, when)
        await succeed(fn, seed)
        assert.deepEqual(await things(), created, `after a crash ${when} action ${action} of the creation`)
        seed.dieAt(action, when)
        assert.equal(await seed.remove(object), undefined)
        await leaves(things, before, `after a crash ${when} action ${action} of the deletion`)
      })
}

/** Puts a thing of another owner in the place of each thing that the function creates. */
const respectsOwners = async (fn: PromisingFunction): Promise<void> => {
  const { object } = fn.example
  let created: readonly TestThing[] = []
  await inSeed(fn, async (seed, things) => {
    const before = await things()
    await succeed(fn, seed)
    created = without(await things(), before)
  })
  for (const thing of created)
    await inSeed(fn, async (seed, things, cloud) => {
      assert(thing.owner !== undefined && cloud.add, `${thing.name} needs an owner, and the cloud \`add\``)
      const foreign = { ...thing, owner: `not-${thing.owner}` }
      await cloud.add(foreign, seed.kubernetes)
      const before = await things()
      const { state } = resultOf(fn, await seed.apply(object))
      const after = await things()
      assert.deepEqual(without(before, after), [], `${thing.name} of another owner was changed`)
      const isThere = namesOf(without(after, before)).includes(thing.name)
      assert.equal(state, isThere ? 'Succeeded' : 'Error', `${thing.name} of another owner is in the way`)
      await seed.remove(object)
      await leaves(things, before)
    })
}

/** Runs a test in a new seed with a new cloud. */
const inSeed = async (
  { definition, example, cloud: create, made: _, marksOwner: __, ...options }: PromisingFunction,
  hold: (seed: SteppedSeed, things: () => Promise<readonly TestThing[]>, cloud: TestCloud) => Promise<void>,
): Promise<void> => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const cloud = await create({ clock })
  try {
    const seed = createSteppedSeed({ ...options, definition, objects: example.beside, clock, cloud })
    const things = async () => [...(await cloud.things(seed.kubernetes))].sort(byName)
    try {
      await hold(seed, things, cloud)
    } finally {
      seed.close()
    }
  } finally {
    await cloud.close?.()
  }
}

const succeed = async (fn: PromisingFunction, seed: SteppedSeed): Promise<void> => {
  const { state, description } = resultOf(fn, await seed.apply(fn.example.object))
  assert.equal(state, 'Succeeded', description)
}

/** The result of the last step: in the status, or for a secondary function in its annotation. */
const resultOf = (
  { definition: { name, secondary } }: PromisingFunction,
  object: KubernetesObject,
): { readonly state: unknown; readonly description: string } => {
  if (secondary === undefined) return Object(Object(object.status).lastOperation)
  const { phase, attempt = 0, why = 'no step has run' } = recordIn(object, name) ?? {}
  const isDone = attempt === 0 && (phase === 'observed' || phase === 'waiting')
  return { state: isDone ? 'Succeeded' : 'Error', description: why }
}

/** Fails unless only these things remain. The garbage collector deletes owned objects soon after their owner. */
const leaves = async (
  things: () => Promise<readonly TestThing[]>,
  expected: readonly TestThing[],
  message?: string,
): Promise<void> => {
  for (let tries = 0; tries < 100 && !isDeepStrictEqual(await things(), expected); tries++)
    await new Promise(setImmediate)
  assert.deepEqual(await things(), expected, message)
}

const writingCalls = ({ calls }: SteppedSeed): readonly string[] =>
  calls.filter(({ isRead }) => !isRead).map(({ name }) => name)

const namesOf = (things: readonly TestThing[]): readonly string[] => things.map(({ name }) => name)

const keyOf = ({ name, owner = '' }: TestThing): string => JSON.stringify([name, owner])

const byName = (one: TestThing, other: TestThing): number => (keyOf(one) < keyOf(other) ? -1 : 1)

/** Returns the things that have no equal among the others. */
const without = (things: readonly TestThing[], others: readonly TestThing[]): readonly TestThing[] =>
  things.filter(thing => !others.some(other => isDeepStrictEqual(thing, other)))
