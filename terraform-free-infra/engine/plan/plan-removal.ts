import type { Timestamp } from '../../../shared/clock/clock.ts'
import type { Graph } from '../graph/graph.ts'
import type { Resource } from '../graph/resource.ts'
import { type AnyFound, type AnyType, remembers } from '../graph/resource-type.ts'
import type { State } from '../state.ts'
import type { Forget, Remove } from './action.ts'
import type { Observed } from './match.ts'
import { goneKey, isFresh } from './waits.ts'

/**
 * Returns the removals of resources of a type. Returns nothing for those that are gone, foreign, or disappear with
 * another resource.
 */
export const removals = <C>(
  type: AnyType<C>,
  label: string,
  things: readonly (AnyFound | undefined)[],
  resource: Resource<C> | undefined,
  { replaced = false, optional = false }: { readonly replaced?: boolean; readonly optional?: boolean } = {},
): readonly Remove<C>[] =>
  things.flatMap(found => {
    if (found === undefined || found.foreign || found.status === 'gone' || type.remove === undefined)
      return []
    const kind = found.status === 'deleting' ? 'wait' : 'delete'
    return [
      {
        target: 'removal',
        kind,
        sentence:
          kind === 'wait' ? `wait for ${label} (${found.id}) to be deleted` : `delete ${label} (${found.id})`,
        label,
        type,
        found,
        resource,
        replaced,
        optional,
        changes: [],
      },
    ]
  })

interface ForgetInput<C> {
  readonly graph: Graph<C>
  readonly observed: Observed<C>
  readonly state: State
  readonly now: Timestamp
  readonly destroy: boolean
}

/** Returns actions that forget state keys of resources that are neither wanted nor present. */
export const forgets = <C>(input: ForgetInput<C>): readonly Forget[] => {
  const { graph, observed, state, now, destroy } = input
  const standing = (type: AnyType<C>, id: string | undefined) =>
    (observed.get(type) ?? []).find(found => found.id === id && !found.foreign && found.status !== 'gone')
  const claimed = new Set(graph.resources.flatMap(({ stateKeys }) => stateKeys))
  const unwanted = graph.resources
    .filter(({ wanted }) => destroy || !wanted)
    .map(({ label, type, idKey, stateKeys }) => ({ label, type, idKey, stateKeys }))
  // `path` and `path light` are types. A key that only has the same prefix belongs to the resource that the other type
  // found.
  const isOthers = (type: AnyType<C>, id: string | undefined): boolean =>
    type.remembers === undefined &&
    graph.types.some(other => other !== type && standing(other, id) !== undefined)
  const leftOver = graph.types.flatMap(type =>
    Object.keys(state)
      .filter(key => !claimed.has(key) && remembers(type, key) && !isOthers(type, state[key]))
      .map(key => ({ label: `${type.what} ${key}`, type, idKey: key, stateKeys: [key] })),
  )
  return [...unwanted, ...leftOver].flatMap(({ label, type, idKey, stateKeys }): readonly Forget[] => {
    const id = state[idKey]
    const keys = stateKeys.filter(key => state[key] !== undefined)
    const there = standing(type, id) !== undefined
    // The removal of an existing resource also forgets its key.
    if (keys.length === 0 || (there && type.remove !== undefined)) return []
    const common = { target: 'state', changes: [] } as const
    // A resource that is listed as gone counts as listed.
    const listed = observed.get(type)?.some(found => found.id === id) ?? false
    if (!listed && isFresh(state, idKey, now)) {
      const sentence = `wait for ${label} (${id}) to be listed`
      return [{ ...common, kind: 'wait', sentence, keys: [], instead: {} }]
    }
    const instead = destroy || id === undefined || !type.usesToken ? {} : { [goneKey(idKey)]: id }
    return [{ ...common, kind: 'forget', sentence: `forget ${label}`, keys, instead }]
  })
}
