import type { Timestamp } from '../../../shared/clock/clock.ts'
import { formatMilliseconds, parseTimestamp } from '../../../shared/clock/clock.ts'
import type { State } from '../state.ts'

const prefix = 'Waiting/'

/** A wait in the form of the state: `Waiting/<subject>: <since> <how> <id> <what>`. */
export interface NotedWait {
  /** The label of the resource, followed by the id during a removal. */
  readonly subject: string
  readonly since: Timestamp
  /** `busy` must be retried. The others only need reads. */
  readonly how: 'pending' | 'going' | 'busy'
  readonly id: string
  /** The resource type. */
  readonly what: string
}

/** Returns the waits in the state, which the last step could not finish. */
export const notedWaits = (state: State): readonly NotedWait[] =>
  Object.entries(state).flatMap(([key, value]) => {
    const [time, how, id = '', ...what] = value.split(' ')
    const since = parseTimestamp(time)
    if (!key.startsWith(prefix) || since === undefined) return []
    const known = how === 'pending' || how === 'going' ? how : 'busy'
    return [{ subject: key.slice(prefix.length), since, how: known, id, what: what.join(' ') }]
  })

/** Returns the start of a wait for the same resource, or undefined if the wait is new. */
export const waitingSince = (state: State, subject: string, id: string): Timestamp | undefined =>
  notedWaits(state).find(wait => wait.subject === subject && wait.id === id)?.since

/** Returns state changes after which the state has exactly these waits. */
export const noteWaits = (
  state: State,
  waits: readonly NotedWait[],
): Readonly<Record<string, string | undefined>> => ({
  ...without(state, prefix),
  ...Object.fromEntries(
    waits.map(({ subject, since, how, id, what }) => [
      `${prefix}${subject}`,
      `${formatMilliseconds(since)} ${how} ${id} ${what}`,
    ]),
  ),
})

const madePrefix = 'Made/'

/** The longest time in which a cloud lists a new resource, in milliseconds. */
const listedWithinMs = 60_000

/** Returns a state change that records the creation time of a resource, by its state key. */
export const fresh = (idKey: string, now: Timestamp): Readonly<Record<string, string>> => ({
  [`${madePrefix}${idKey}`]: formatMilliseconds(now),
})

/** Returns true if the resource of a state key is so new that the cloud may not list it yet. */
export const isFresh = (state: State, idKey: string, now: Timestamp): boolean => {
  const made = parseTimestamp(state[`${madePrefix}${idKey}`])
  return made !== undefined && now - made < listedWithinMs
}

const gonePrefix = 'Gone/'

/** Returns the state key for the former id of another key. */
export const goneKey = (idKey: string): string => `${gonePrefix}${idKey}`

/** Returns a state change that removes all creation times. */
export const noneFresh = (state: State): Readonly<Record<string, undefined>> => without(state, madePrefix)

/** Returns a state change that removes all former ids. */
export const noneGone = (state: State): Readonly<Record<string, undefined>> => without(state, gonePrefix)

const without = (state: State, begin: string): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.keys(state)
      .filter(key => key.startsWith(begin))
      .map(key => [key, undefined]),
  )
