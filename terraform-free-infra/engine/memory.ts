import { formatMilliseconds, parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import type { AnyFound } from './graph/resource-type.ts'
import type { State } from './state.ts'

/**
 * The part of the state that remembers what the cloud may not show yet: creates without an answer, and recent
 * creations, changes and deletions, each with its time. It outlives the operation, a migration and a restore, because a
 * cloud can lag after a success, too. Entries are forgotten once the cloud must show their effect.
 */
const keys = {
  /** A create was sent, and no answer named its resource. */
  creating: (idKey: string): string => `Creating/${idKey}`,
  made: (idKey: string): string => `Made/${idKey}`,
  /** A change was sent that has another effect if it is repeated. */
  changing: (idKey: string, attribute: string): string => `Changing/${idKey} ${attribute}`,
  /** Resources of two types may have the same id: their name. */
  deleted: (what: string, id: string): string => `Deleted/${what}/${id}`,
} as const

const prefixes: readonly string[] = ['Creating/', 'Made/', 'Changing/', 'Deleted/']

/** The present, and the longest time in which the cloud may not show a change, in milliseconds. */
export interface MemoryTime {
  readonly now: Timestamp
  readonly shownWithinMs: number
}

/** Changes of the state. Undefined removes a key. */
type StateChange = Readonly<Record<string, string | undefined>>

/** Notes that a create is about to be sent. */
export const noteCreating = (idKey: string, now: Timestamp): StateChange => ({
  [keys.creating(idKey)]: formatMilliseconds(now),
})

/** Notes the create without an answer that another state has. */
export const creatingAs = (idKey: string, { [keys.creating(idKey)]: since }: State): StateChange => ({
  [keys.creating(idKey)]: since,
})

/** Notes that no create is without an answer any more. */
export const noteAnswered = (idKey: string): StateChange => ({ [keys.creating(idKey)]: undefined })

/** Notes that a resource exists since now. A former one with this id no longer counts as deleted. */
export const noteMade = (idKey: string, what: string, id: string, now: Timestamp): StateChange => ({
  [keys.made(idKey)]: formatMilliseconds(now),
  [keys.deleted(what, id)]: undefined,
})

/** Notes that a change of these attributes is about to be sent. */
export const noteChanging = (idKey: string, attributes: readonly string[], now: Timestamp): StateChange =>
  Object.fromEntries(attributes.map(attribute => [keys.changing(idKey, attribute), formatMilliseconds(now)]))

/** Notes that the cloud has refused a change of these attributes. */
export const noteUnchanged = (idKey: string, attributes: readonly string[]): StateChange =>
  Object.fromEntries(attributes.map(attribute => [keys.changing(idKey, attribute), undefined]))

/**
 * Notes that the resource of these keys is gone.
 *
 * @param isOnly true if no other create under these keys can have made another resource
 */
export const noteDeleted = (
  idKeys: readonly string[],
  what: string,
  id: string,
  now: Timestamp,
  isOnly: boolean,
): StateChange => ({
  ...Object.fromEntries(
    idKeys.flatMap(idKey => [
      [keys.made(idKey), undefined],
      ...(isOnly ? [[keys.creating(idKey), undefined]] : []),
    ]),
  ),
  ...noteGone(what, id, now),
})

/** Notes that a resource is gone. */
export const noteGone = (what: string, id: string, now: Timestamp): Readonly<Record<string, string>> => ({
  [keys.deleted(what, id)]: formatMilliseconds(now),
})

/** Returns true if a create got no answer and the cloud may not list its resource yet. */
export const isCreating = (state: State, idKey: string, moment: MemoryTime): boolean =>
  isRecent(state, keys.creating(idKey), moment)

/** Returns true if the resource of a state key is so new that the cloud may not list it yet. */
export const isMade = (state: State, idKey: string, moment: MemoryTime): boolean =>
  isRecent(state, keys.made(idKey), moment)

/**
 * Returns true if a resource may be so new that not all of the cloud knows it. One without keys was made by a create
 * without an answer, whose key is unknown.
 */
export const mayBeYoung = (state: State, idKeys: readonly string[], moment: MemoryTime): boolean =>
  idKeys.length === 0
    ? unanswered(state, moment).length > 0
    : idKeys.some(key => isMade(state, key, moment) || isCreating(state, key, moment))

/** Returns true if the cloud may not show a change of the attribute yet. */
export const isChanging = (state: State, idKey: string, attribute: string, moment: MemoryTime): boolean =>
  isRecent(state, keys.changing(idKey, attribute), moment)

/** Returns true if the resource is gone and the cloud may still list it. */
export const isDeleted = (state: State, what: string, id: string, moment: MemoryTime): boolean =>
  isRecent(state, keys.deleted(what, id), moment)

/** Returns true if a create got no answer, so that resources may exist which the state does not name. */
export const hasUnanswered = (state: State): boolean =>
  Object.keys(state).some(key => key.startsWith(keys.creating('')))

/** Returns the keys whose creates got no answer and whose resources the cloud may not list yet. */
export const unanswered = (state: State, moment: MemoryTime): readonly string[] => {
  const prefix = keys.creating('')
  return Object.keys(state)
    .filter(key => key.startsWith(prefix) && isRecent(state, key, moment))
    .map(key => key.slice(prefix.length))
}

/** Returns a state change that removes the entries whose effect the cloud must show by now. */
export const forgetShown = (state: State, moment: MemoryTime): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.keys(state)
      .filter(key => prefixes.some(prefix => key.startsWith(prefix)) && !isRecent(state, key, moment))
      .map(key => [key, undefined]),
  )

/** Returns a state change that removes the entries of what no longer exists after a complete deletion. */
export const forgetMade = (state: State): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.keys(state)
      .filter(key => /^(?:Creating|Made|Changing)\//.test(key))
      .map(key => [key, undefined]),
  )

/** Returns the state without all of these entries. */
export const withoutMemory = (state: State): State => {
  const all = forgetShown(state, { now: 0, shownWithinMs: Number.NEGATIVE_INFINITY })
  return Object.fromEntries(Object.entries(state).filter(([key]) => !(key in all)))
}

const isRecent = (state: State, key: string, { now, shownWithinMs }: MemoryTime): boolean => {
  const at = parseTimestamp(state[key])
  return at !== undefined && now - at < shownWithinMs
}

/** Returns each listed resource once, in its last form. Those that are deleted but still listed are `gone`. */
export const withMemory = (
  what: string,
  things: readonly AnyFound[],
  state: State,
  moment: MemoryTime,
): readonly AnyFound[] =>
  [...new Map(things.map(found => [found.id, found])).values()].map(found =>
    isDeleted(state, what, found.id, moment) ? { ...found, status: 'gone' as const } : found,
  )
