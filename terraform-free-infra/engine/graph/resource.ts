import {
  type Attributes,
  type DesiredAttributes,
  isLater,
  knownAfterCreate,
  type Later,
  type PlannedValue,
  type ResolvedAttributes,
} from './attributes.ts'
import type { AnyFound, AnyType, ResourceType } from './resource-type.ts'

/** A resource as those that need it see it. */
export interface Ref<O> {
  readonly label: string
  /** A value of its outcome, for an attribute of another resource; makes that one need this one. */
  get<T>(select: (outcome: O) => T): Later<T>
  /** Its outcome, if there is one. */
  in(outcomes: Outcomes): O | undefined
}

/** What is known of the resources, by label. */
export type Outcomes = ReadonlyMap<string, unknown>

/** References to what gives the needed outcomes; undefined where a need may be undefined. */
export type Needs<N> = {
  readonly [K in keyof N]: undefined extends N[K] ? Ref<NonNullable<N[K]>> | undefined : Ref<N[K]>
}

export type ResourceOptions<A, O, N> = {
  /** False: it is not wanted, and removed where it is found. */
  readonly when?: boolean
  /** The key of `Found` by which it is recognised; its name when absent. */
  readonly key?: string
  /** Values and references, or, where their names depend on what is needed, a function of that. */
  readonly attributes: DesiredAttributes<A> | ((needs: N) => A)
  /** Labels of resources that only have to come first (and go last). */
  readonly after?: readonly string[]
  /**
   * Where the state holds its id (its label when absent) and what else of its outcome. A key that says more than is known
   * beforehand is made of the outcome (undefined: none is written): by that it is not found again, only by its key.
   */
  readonly state?: {
    readonly id?: string | ((outcome: O) => string | undefined)
    readonly values?: Readonly<Record<string, (outcome: O) => string | undefined>>
  }
} & (keyof N extends never ? { readonly needs?: NoRefs } : { readonly needs: Needs<N> })

type NoRefs = Readonly<Record<never, never>>

export interface Resource<C> {
  readonly label: string
  readonly name: string
  readonly key: string
  readonly type: AnyType<C>
  readonly wanted: boolean
  /** Labels of all that comes before it. */
  readonly dependencies: readonly string[]
  /** Those of them that it cannot be without. */
  readonly required: readonly string[]
  /** Labels by the need or the attribute that refers to them. */
  readonly follows: ReadonlyMap<string, string>
  readonly idKey: string
  /** Where the state shall hold the id of what was found; undefined: nowhere. */
  idKeyOf(found: AnyFound): string | undefined
  readonly stateKeys: readonly string[]
  /** The outcomes of what it needs, or undefined while one is unknown. */
  needs(outcomes: Outcomes): Readonly<Record<string, unknown>> | undefined
  /** `unsettled`: resources whose outcome has not all its values yet: what is missing is not known yet. */
  desired(outcomes: Outcomes, unsettled?: ReadonlySet<string>): ResolvedAttributes
  /** What the state shall hold of it. */
  remembered(found: AnyFound): Readonly<Record<string, string | undefined>>
}

export const refTo = <O>(label: string): Ref<O> => ({
  label,
  get: select => ({ later: label, select }),
  // What stands under a label was made by the type of the resource of that label.
  in: outcomes => outcomes.get(label) as O | undefined,
})

export const resourceOf = <C, A extends Attributes, O, N extends Readonly<Record<string, unknown>>>(
  type: ResourceType<C, A, O, N>,
  name: string,
  label: string,
  options: ResourceOptions<A, O, N>,
): Resource<C> => {
  const refs: Readonly<Record<string, Ref<unknown> | undefined>> = options.needs ?? {}
  const { attributes, state = {} } = options
  const values: Readonly<Record<string, (outcome: O) => string | undefined>> = state.values ?? {}
  const { id: idOf } = state
  const idKey = typeof idOf === 'string' ? idOf : label
  const idKeyOf = (found: AnyFound): string | undefined =>
    typeof idOf === 'function' ? idOf(found.outcome as O) : idKey
  const follows = new Map([
    ...Object.entries(refs).flatMap(([need, ref]) => (ref === undefined ? [] : [[need, ref.label] as const])),
    ...Object.entries(typeof attributes === 'function' ? {} : attributes).flatMap(([attribute, value]) =>
      isLater(value) ? [[attribute, value.later] as const] : [],
    ),
  ])
  const required = [...new Set(follows.values())]

  const needs = (outcomes: Outcomes): Readonly<Record<string, unknown>> | undefined => {
    const given: Record<string, unknown> = {}
    for (const [need, ref] of Object.entries(refs)) {
      if (ref === undefined) continue
      if (!outcomes.has(ref.label)) return undefined
      given[need] = outcomes.get(ref.label)
    }
    return given
  }

  const resolve = (value: unknown, outcomes: Outcomes, unsettled?: ReadonlySet<string>) => {
    if (!isLater(value)) return value as PlannedValue | undefined
    if (!outcomes.has(value.later)) return knownAfterCreate
    const selected = value.select(outcomes.get(value.later))
    return selected === undefined && unsettled?.has(value.later) ? knownAfterCreate : selected
  }

  return {
    label,
    name,
    key: options.key ?? name,
    type,
    wanted: options.when ?? true,
    dependencies: [...new Set([...required, ...(options.after ?? [])])],
    required,
    follows,
    idKey,
    idKeyOf,
    stateKeys: [idKey, ...Object.keys(values)],
    needs,
    desired: (outcomes, unsettled) => {
      if (typeof attributes === 'function') {
        const given = needs(outcomes)
        // `options.needs` has a reference of the right type for every name in N.
        return given === undefined
          ? { attributes: {}, complete: false }
          : { attributes: attributes(given as N), complete: true }
      }
      return {
        complete: true,
        attributes: Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [key, resolve(value, outcomes, unsettled)]),
        ),
      }
    },
    remembered: found => {
      const key = idKeyOf(found)
      return {
        ...Object.fromEntries(Object.entries(values).map(([name, of]) => [name, of(found.outcome as O)])),
        ...(key !== undefined && { [key]: found.id }),
      }
    },
  }
}
