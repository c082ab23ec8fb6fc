import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { NodeState } from '../../observe/observe.ts'
import type { ListedState } from '../model/history.ts'
import { isWorse, type ObjectState, objectState } from './object-state.ts'

type StateNow = Omit<ListedState, 'n' | 'at'>

/** Derives the state of a shoot from the last operations of its objects: the worst one counts. */
export interface StateOfShoot {
  /** An object has a new version, or none any more. Returns the state of the shoot if it is another one. */
  readonly change: (id: string, object: unknown) => StateNow | undefined
  /** Namespace and name in the garden, if a Cluster has been seen. */
  readonly garden: () => string | undefined
}

/** In characters: the list of shoots shows one line. */
const longestWhy = 200

export const createStateOfShoot = (): StateOfShoot => {
  const states = new Map<string, ObjectState | undefined>()
  let garden: string | undefined
  let last: StateNow | undefined
  return {
    garden: () => garden,
    change: (id, object) => {
      if (id.startsWith('Cluster ')) garden = gardenName(object) ?? garden
      if (object === undefined) states.delete(id)
      else states.set(id, id.startsWith('Cluster ') ? undefined : objectState(object))
      const state = stateOf(states)
      if (last !== undefined && isSame(last, state)) return undefined
      last = state
      return state
    },
  }
}

const stateOf = (states: ReadonlyMap<string, ObjectState | undefined>): StateNow => {
  let state: NodeState = states.size === 0 ? 'gone' : 'unknown'
  let why: string | undefined
  let failed = 0
  let objects = 0
  for (const [id, found] of states) {
    if (found === undefined) continue
    objects++
    if (found.state === 'failed') failed++
    if (objects > 1 && !isWorse(found.state, state)) continue
    state = found.state
    why = found.why && `${id.slice(0, id.indexOf(' '))}: ${found.why}`
  }
  return { state, failed, objects, ...(why !== undefined && { why: why.slice(0, longestWhy) }) }
}

const isSame = (one: StateNow, other: StateNow): boolean =>
  one.state === other.state &&
  one.failed === other.failed &&
  one.objects === other.objects &&
  one.why === other.why

const gardenName = (cluster: unknown): string | undefined => {
  const { namespace, name } = recordOf(recordOf(recordOf(recordOf(cluster).spec).shoot).metadata)
  const text = [stringOf(namespace), stringOf(name)].filter(part => part !== '').join('/')
  return text === '' ? undefined : text
}
