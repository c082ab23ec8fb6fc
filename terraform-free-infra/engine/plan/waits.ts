import type { Timestamp } from '../../../shared/clock/clock.ts'
import { formatMilliseconds, parseTimestamp } from '../../../shared/clock/clock.ts'
import type { State } from '../state.ts'

const prefix = 'Waiting/'

/** A wait as the state has it: `Waiting/<subject>: <since> <how> <id> <what>`. */
export interface NotedWait {
  /** The label of the resource, with the id where it is being removed. */
  readonly subject: string
  readonly since: Timestamp
  /** `busy`: something has to be tried again. The others only have to be looked at. */
  readonly how: 'pending' | 'going' | 'busy'
  readonly id: string
  /** The type of it. */
  readonly what: string
}

/** The waits that the state holds: what the last step could not finish. */
export const notedWaits = (state: State): readonly NotedWait[] =>
  Object.entries(state).flatMap(([key, value]) => {
    const [time, how, id = '', ...what] = value.split(' ')
    const since = parseTimestamp(time)
    if (!key.startsWith(prefix) || since === undefined) return []
    const known = how === 'pending' || how === 'going' ? how : 'busy'
    return [{ subject: key.slice(prefix.length), since, how: known, id, what: what.join(' ') }]
  })

/** Since when a wait for the same thing lasts; undefined when it begins. */
export const waitingSince = (state: State, subject: string, id: string): Timestamp | undefined =>
  notedWaits(state).find(wait => wait.subject === subject && wait.id === id)?.since

/** Changes of the state that leave exactly these waits in it. */
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

/** How long a cloud may take to list what it has made, in ms. */
const listedWithinMs = 60_000

/** A change of the state that says when the resource of a state key was made. */
export const fresh = (idKey: string, now: Timestamp): Readonly<Record<string, string>> => ({
  [`${madePrefix}${idKey}`]: formatMilliseconds(now),
})

/** Whether the resource of a state key was made so lately that it need not be listed yet. */
export const isFresh = (state: State, idKey: string, now: Timestamp): boolean => {
  const made = parseTimestamp(state[`${madePrefix}${idKey}`])
  return made !== undefined && now - made < listedWithinMs
}

const gonePrefix = 'Gone/'

/** The state key for the last id that stood under another one. */
export const goneKey = (idKey: string): string => `${gonePrefix}${idKey}`

/** A change of the state that forgets when things were made. */
export const noneFresh = (state: State): Readonly<Record<string, undefined>> => without(state, madePrefix)

/** A change of the state that forgets what has been there. */
export const noneGone = (state: State): Readonly<Record<string, undefined>> => without(state, gonePrefix)

const without = (state: State, begin: string): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.keys(state)
      .filter(key => key.startsWith(begin))
      .map(key => [key, undefined]),
  )
