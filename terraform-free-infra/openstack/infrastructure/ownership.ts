import { CodedError } from '../../../shared/contract/errors.ts'
import type { State } from '../../engine/engine.ts'
import type { DesiredInfrastructure } from './desired.ts'

const markPrefix = 'trellis.gardener.cloud/created-for='

/** Returns the text in the description of a resource that names the object that created it. */
export const markOf = ({ uid }: Pick<DesiredInfrastructure, 'uid'>): string => `${markPrefix}${uid}`

/** The reason why a resource is ours although the state does not record it. */
export interface Ours {
  readonly ours?: 'proved' | 'likely'
}

interface OwnedInput<T> {
  /** The noun: `network`. */
  readonly what: string
  readonly desired: DesiredInfrastructure
  readonly state: State
  /** The state key of the id. */
  readonly stateKey: string
  /** Default: the name of the shoot. */
  readonly name?: string
  /** Returns false for an unmarked resource that cannot be ours. */
  readonly fits?: (item: T) => boolean
}

/**
 * Returns the listed resources that are or may be ours. The state records one, or its description has our mark. One
 * without any mark and with our name was probably made by the Go extension, whose state is lost: it is likely ours if
 * nothing else is, and if it is the only one. Throws if there are several, because a guess may change a stranger's.
 */
export const owned = <T extends { readonly id: string; readonly name: string; readonly description: string }>(
  items: readonly T[],
  { what, desired, state, stateKey, name = desired.name, fits = () => true }: OwnedInput<T>,
): readonly (T & Ours)[] => {
  const recorded = items.filter(({ id }) => id === state[stateKey])
  const others = items.filter(item => !recorded.includes(item) && item.name === name)
  const marked = others.filter(({ description }) => description.includes(markOf(desired)))
  const proved = [...recorded, ...marked.map(item => ({ ...item, ours: 'proved' as const }))]
  const unmarked = others.filter(item => !item.description.includes(markPrefix) && fits(item))
  // A deletion does not go on with another resource than the recorded one.
  const isSettled = proved.length > 0 || (desired.destroying && state[stateKey] !== undefined)
  if (isSettled || unmarked.length === 0) return proved
  if (unmarked.length === 1) return unmarked.map(item => ({ ...item, ours: 'likely' as const }))
  if (desired.destroying) return proved
  const ids = unmarked.map(({ id }) => id).sort()
  throw new CodedError(
    `found ${unmarked.length} resources of type ${what} with the name ${name} (${ids.join(', ')}), and the state names none of them. Rename or delete those that do not belong to this shoot`,
    { codes: ['ERR_INFRA_DEPENDENCIES'] },
  )
}

/** Returns the fields of a found resource by which the engine knows it. */
export const identityOf = ({ id, ours }: Ours & { readonly id: string }, key: string) => ({
  id,
  key,
  ...(ours && { ours }),
})
