import type { Graph } from '../graph/graph.ts'
import type { AnyType } from '../graph/resource-type.ts'
import { createStateWriter, type NotedWait, notedWaits, type SaveState, type State } from '../state.ts'
import { type Applied, type ApplyInput, progressWith, waitingFor } from './apply.ts'
import { defaultPollMs, defaultWaitLimitMs, typeObservers } from './apply-context.ts'

export interface StillWaitingInput<C>
  extends Pick<ApplyInput<C>, 'cloud' | 'clock' | 'signal' | 'shownWithinMs'> {
  readonly graph: Graph<C>
  readonly state: State
  readonly save: SaveState
  readonly destroy?: boolean
}

/**
 * Returns the current wait if only waits are left and a resource is still in transition. Returns undefined if there is
 * work to do. Makes one read for each type that may have changed by now.
 */
export const stillWaiting = async <C>(input: StillWaitingInput<C>): Promise<Applied | undefined> => {
  const { graph, state, clock, destroy = false } = input
  const now = clock.now()
  const waits = notedWaits(state)
  const isObserved = (how: NotedWait['how']) => how === 'going' || (how === 'pending' && !destroy)
  if (waits.length === 0 || !waits.every(({ how }) => isObserved(how))) return undefined
  const types = graph.types.filter(({ what }) => waits.some(wait => wait.what === what))
  const typeOf = ({ what }: NotedWait) => types.find(type => type.what === what)
  if (waits.some(wait => now - wait.since >= (typeOf(wait)?.waitLimitMs ?? defaultWaitLimitMs)))
    return undefined

  const dueAt = (wait: NotedWait) => wait.since + firstPollAfterMs(typeOf(wait), wait.how)
  const isDue = (wait: NotedWait) => dueAt(wait) <= now
  // A call before any wait is due requests the current state.
  const asked = waits.some(isDue) ? waits.filter(isDue) : waits
  const stateWriter = createStateWriter(state, input.save)
  const { observeType } = typeObservers({ ...input, hooks: graph.hooks, stateWriter })
  const found = new Map(
    await Promise.all(
      types
        .filter(({ what }) => asked.some(wait => wait.what === what))
        .map(async type => [type.what, await observeType(type)] as const),
    ),
  )
  const isOpen = (wait: NotedWait): boolean => {
    const things = found.get(wait.what)
    if (things === undefined) return typeOf(wait) !== undefined
    const status = things.find(({ id }) => id === wait.id)?.status
    return status === (wait.how === 'pending' ? 'pending' : 'deleting')
  }
  const hasFailed = ({ what, id, how }: NotedWait): boolean => {
    if (how !== 'pending' || !found.has(what)) return false
    const status = found.get(what)?.find(thing => thing.id === id)?.status
    return status !== 'pending' && status !== 'ready'
  }
  const open = waits.filter(isOpen)
  if (open.length === 0 || waits.some(hasFailed)) return undefined
  return {
    kind: 'continue',
    afterMs: Math.min(
      ...open.map(wait => Math.max(typeOf(wait)?.pollMs ?? defaultPollMs, dueAt(wait) - now)),
    ),
    progress: progressWith(open.length, Math.max(graph.resources.length, waits.length)),
    description: waitingFor(
      open.map(
        ({ subject, how }) => `${subject} ${how === 'pending' ? 'to become available' : 'to be deleted'}`,
      ),
    ),
  }
}

/** Returns the time from the start of a wait to the first useful read. */
const firstPollAfterMs = <C>(type: AnyType<C> | undefined, how: NotedWait['how']): number => {
  const first = type?.firstPollMs ?? type?.pollMs ?? defaultPollMs
  return how === 'going' ? (type?.firstGonePollMs ?? first) : first
}
