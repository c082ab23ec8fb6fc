import {
  type AnyFound,
  type AnyType,
  type Attributes,
  type CallContext,
  type DesiredAttributes,
  isLater,
  knownAfterCreate,
  type Later,
  type ListContext,
  type PlannedValue,
  type ResolvedAttributes,
  type ResourceType,
} from './resource-type.ts'

/** A checked graph. Its resources are sorted so that each follows its dependencies. */
export interface Graph<C> {
  readonly resources: readonly Resource<C>[]
  /** Includes types without a resource: found resources of them that are proved ours are removed. */
  readonly types: readonly AnyType<C>[]
  readonly hooks: GraphHooks<C>
}

/** Calls of the provider that are not about one type. */
export interface GraphHooks<C> {
  /** Absent if resources carry no marks, or retain them. */
  readonly unmark?: Unmark<C>
  readonly confirm?: Confirm<C>
  readonly explain?: Explain<C>
}

/** Removes the marks of resources. `marks` are the ids of the marks. */
export type Unmark<C> = (call: CallContext<C>, marks: readonly string[]) => Promise<void>

/**
 * Reads a resource by itself, not as an item of a list. Returns true if it exists and is proved ours. Asked before the
 * removal of a resource that the state does not record and the graph does not want.
 */
export type Confirm<C> = (call: CallContext<C>, found: AnyFound) => Promise<boolean>

/**
 * Returns what blocks the removal of a resource that the cloud refused as busy, and what the user can do, as sentences.
 * Undefined if it is unknown. `read` is shared by all removals of a step.
 */
export type Explain<C> = (
  call: ListContext<C>,
  removal: { readonly what: string; readonly found: AnyFound },
) => Promise<string | undefined>

/** Collects the resources of a graph. */
export interface GraphBuilder<C> {
  /**
   * Adds a resource and returns a reference to it. Its label is the type's `what` and the name: `subnet nodes-a`. An
   * empty name makes the type alone the label.
   */
  add<A extends Attributes, O, N extends Readonly<Record<string, unknown>>>(
    type: ResourceType<C, A, O, N>,
    name: string,
    options: ResourceOptions<A, O, N>,
  ): Ref<O>
  /**
   * Removes found resources of the type that are proved ours and not in the graph, unless they are in use. Implied by
   * `add`.
   */
  sweep<A extends Attributes, O, N extends Readonly<Record<string, unknown>>>(
    type: ResourceType<C, A, O, N>,
  ): void
  /** Sets the function that removes marks once all desired resources exist and are recorded. */
  unmarkBy(unmark: Unmark<C>): void
  /** Sets the function that confirms a surplus resource before its removal. */
  confirmBy(confirm: Confirm<C>): void
  /** Sets the function that explains a blocked removal. */
  explainBy(explain: Explain<C>): void
  /** Checks the graph. Throws a `GraphError` that names the missing resources, or those of a cycle. */
  build(): Graph<C>
}

/**
 * Starts a graph of resources for one cloud.
 *
 * @example
 * const building = graphOf<Cloud>()
 * building.add(network, 'a', { attributes: { cidr: '10.0.0.0/24' } })
 * const built = building.build()
 */
export const graphOf = <C>(): GraphBuilder<C> => {
  const resources = new Map<string, Resource<C>>()
  const types = new Map<string, AnyType<C>>()
  let hooks: GraphHooks<C> = {}
  const include = (type: AnyType<C>): void => {
    const known = types.get(type.what)
    if (known !== undefined && known !== type) throw new GraphError(`two types have the name ${type.what}`)
    types.set(type.what, type)
  }
  return {
    add: (type, name, options) => {
      const label = name === '' ? type.what : `${type.what} ${name}`
      if (resources.has(label)) throw new GraphError(`two resources have the name ${label}`)
      include(type)
      resources.set(label, resourceOf(type, name, label, options))
      return refTo(label)
    },
    sweep: include,
    unmarkBy: unmark => {
      hooks = { ...hooks, unmark }
    },
    confirmBy: confirm => {
      hooks = { ...hooks, confirm }
    },
    explainBy: explain => {
      hooks = { ...hooks, explain }
    },
    build: () => ({ resources: inOrder(resources), types: [...types.values()], hooks }),
  }
}

/** An invalid graph. The message names the resources that cause it. */
export class GraphError extends Error {
  override readonly name = 'GraphError'
}

/**
 * Returns the resources, each after its dependencies. Throws a `GraphError` for a missing, unwanted or cyclic
 * dependency.
 */
const inOrder = <C>(resources: ReadonlyMap<string, Resource<C>>): readonly Resource<C>[] => {
  const ordered = new Set<Resource<C>>()
  const visit = (resource: Resource<C>, path: readonly string[]): void => {
    if (ordered.has(resource)) return
    if (path.includes(resource.label)) {
      const circle = [...path.slice(path.indexOf(resource.label)), resource.label]
      throw new GraphError(`dependency cycle: ${circle.join(' needs ')}`)
    }
    for (const label of resource.dependencies) {
      const needed = resources.get(label)
      if (needed === undefined)
        throw new GraphError(`${resource.label} needs ${label}, which is not in the graph`)
      if (resource.wanted && !needed.wanted && resource.required.includes(label))
        throw new GraphError(`${resource.label} needs ${label}, which is not desired`)
      visit(needed, [...path, resource.label])
    }
    ordered.add(resource)
  }
  for (const resource of resources.values()) visit(resource, [])
  return [...ordered]
}

/** A reference to a resource, for the resources that need it. */
export interface Ref<O> {
  readonly label: string
  /** A value of its outcome, for an attribute of another resource. That resource then needs this one. */
  get<T>(select: (outcome: O) => T): Later<T>
  /** Returns its outcome, if known. */
  in(outcomes: Outcomes): O | undefined
}

/** The known outcomes of resources, by label. */
export type Outcomes = ReadonlyMap<string, unknown>

/** References to the resources with the needed outcomes. Undefined where a need may be undefined. */
export type Needs<N> = {
  readonly [K in keyof N]: undefined extends N[K] ? Ref<NonNullable<N[K]>> | undefined : Ref<N[K]>
}

/** The desired form of one resource. */
export type ResourceOptions<A, O, N> = {
  /** False if the resource is not wanted. It is then removed where it is found. */
  readonly when?: boolean
  /** The `key` of `Found` that identifies it. Default: its name. */
  readonly key?: string
  /** Values and references. If attribute names depend on needs, a function of the needs. */
  readonly attributes: DesiredAttributes<A> | ((needs: N) => A)
  /** Labels of resources that are created before it and removed after it, without being needed. */
  readonly after?: readonly string[]
  /**
   * The state keys for its id (default: its label) and for other values of its outcome. A key that depends on the
   * outcome is computed from it (undefined: no key is written). The resource is then found only by its `key`, not by
   * the state.
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
  /** Labels of all resources before it. */
  readonly dependencies: readonly string[]
  /** The subset of dependencies that it requires. */
  readonly required: readonly string[]
  /** Labels by the need or attribute that refers to them. */
  readonly follows: ReadonlyMap<string, string>
  readonly idKey: string
  /** Returns the state key for the id of a found resource, or undefined if it has none. */
  idKeyOf(found: AnyFound): string | undefined
  readonly stateKeys: readonly string[]
  /** Returns the outcomes of its needs, or undefined while one is unknown. */
  needs(outcomes: Outcomes): Readonly<Record<string, unknown>> | undefined
  /** `unsettled`: resources whose outcome is incomplete. A missing value of theirs is still unknown. */
  desired(outcomes: Outcomes, unsettled?: ReadonlySet<string>): ResolvedAttributes
  /** Returns the values that the state stores for it. */
  remembered(found: AnyFound): Readonly<Record<string, string | undefined>>
}

const refTo = <O>(label: string): Ref<O> => ({
  label,
  get: select => ({ later: label, select }),
  // The outcome under a label has the type of that label's resource.
  in: outcomes => outcomes.get(label) as O | undefined,
})

const resourceOf = <C, A extends Attributes, O, N extends Readonly<Record<string, unknown>>>(
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
