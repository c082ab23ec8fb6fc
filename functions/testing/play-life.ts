import type { SteppedRequest } from '../../sandbox/stepped-seed/stepped-seed.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { RecordedLife, RecordedLifeStep } from '../../test/recorded/lives.ts'
import type { FunctionSeed } from './function-seed.ts'

/** The result of one step. */
export interface LifeStep {
  readonly action: string
  /** The values of `lastOperation` from Processing on, without repetitions. */
  readonly states: readonly object[]
  /** The final object, without fields that differ between seeds. null: it is gone. */
  readonly result: object | null
}

export interface ReplayedStep extends LifeStep {
  readonly writes: readonly SteppedRequest[]
}

/** Replays a recording in a seed, step by step. Calls `after` with each step, before the next one. */
export const playLife = async (
  seed: FunctionSeed,
  { steps }: RecordedLife,
  after: (step: RecordedLifeStep, replayed: ReplayedStep, index: number) => unknown = () => {},
): Promise<readonly ReplayedStep[]> => {
  const replayed: ReplayedStep[] = []
  for (const [index, step] of steps.entries()) {
    await prepare(seed, step)
    seed.takeWrites()
    seed.states()
    await seed.converge()
    const live = await seed.live()
    const done: ReplayedStep = {
      action: step.action,
      states: fromProcessing(seed.states()),
      result: live === undefined ? null : withoutVolatile(live),
      writes: seed.takeWrites(),
    }
    replayed.push(done)
    await after(step, done, index)
  }
  return replayed
}

const prepare = async (seed: FunctionSeed, { action, patch }: RecordedLifeStep): Promise<unknown> => {
  switch (action) {
    case 'create':
      return
    case 'idle':
    case 'change':
      return seed.ask('reconcile', patch)
    case 'migrate':
      return seed.ask('migrate')
    case 'restore':
      await seed.arrive()
      return seed.ask('restore')
    case 'delete':
      return seed.remove()
  }
}

/**
 * Returns the expected result of a recorded step. The Go extension runs once more after a restore, because it sees the
 * removal of the annotation with an older status
 * (docs/contract/provider-local.md#what-is-done-otherwise-for-records-backups-and-extensions).
 */
export const recordedStep = ({ action, lastOperations, result }: RecordedLifeStep): LifeStep => {
  const states = fromProcessing(
    lastOperations
      .filter(({ type }) => type !== undefined)
      .map(({ type, state, progress, description }) => ({ type, state, progress, description })),
  )
  const expected = result === null ? null : withoutVolatile(result)
  if (action !== 'restore') return { action, states, result: expected }
  const [processing, succeeded] = states
  return {
    action,
    states: [processing, succeeded].flatMap(state => state ?? []),
    result: expected && withOperation(expected, 'Restore', Object(succeeded).description),
  }
}

const withOperation = (object: object, type: string, description: string): object => {
  const copy = structuredClone(object) as { status: { lastOperation: object } }
  Object.assign(copy.status.lastOperation, { type, description })
  return copy
}

const fromProcessing = (states: readonly object[]): readonly object[] => {
  const distinct = states.filter(
    (state, index) => JSON.stringify(state) !== JSON.stringify(states[index - 1]),
  )
  const start = distinct.findIndex(state => Object(state).state === 'Processing')
  return start === -1 ? [] : distinct.slice(start)
}

const volatile = new Set(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'])
const times = new Set(['lastUpdateTime', 'lastTransitionTime', 'gardener.cloud/timestamp'])
const ownAnnotations = /^trellis\.gardener\.cloud\//

const withoutVolatile = ({ metadata, ...fields }: KubernetesObject): object => {
  const { annotations = {}, ...rest } = metadata
  const kept = Object.entries(annotations).filter(([key]) => !ownAnnotations.test(key))
  return withoutTimes({
    ...fields,
    metadata: {
      ...Object.fromEntries(Object.entries(rest).filter(([key]) => !volatile.has(key))),
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
    },
  }) as object
}

const withoutTimes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, times.has(key) ? '<time>' : withoutTimes(inner)]),
  )
}

/** Matches only writes to the object itself. */
export const isOwnWrite =
  (plural: string) =>
  ({ resource }: SteppedRequest): boolean =>
    resource === plural || resource === `${plural}/status`
