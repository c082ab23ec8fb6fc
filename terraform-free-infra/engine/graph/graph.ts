import type { Attributes } from './attributes.ts'
import { type Ref, type Resource, type ResourceOptions, refTo, resourceOf } from './resource.ts'
import type { AnyType, CallContext, ResourceType } from './resource-type.ts'

/** A checked graph. Its resources are sorted so that each follows its dependencies. */
export interface Graph<C> {
  readonly resources: readonly Resource<C>[]
  /** Includes types without a resource: found resources of them that are proved ours are removed. */
  readonly types: readonly AnyType<C>[]
  /** Absent if resources carry no marks, or retain them. */
  readonly unmark?: Unmark<C>
}

/** Removes the marks of resources. `marks` are the ids of the marks. */
export type Unmark<C> = (call: CallContext<C>, marks: readonly string[]) => Promise<void>

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
  /** Checks the graph. Throws a `GraphError` that names the missing resources, or those of a cycle. */
  build(): Graph<C>
}

export const graphOf = <C>(): GraphBuilder<C> => {
  const resources = new Map<string, Resource<C>>()
  const types = new Map<string, AnyType<C>>()
  let unmark: Unmark<C> | undefined
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
    unmarkBy: by => {
      unmark = by
    },
    build: () => ({
      resources: inOrder(resources),
      types: [...types.values()],
      ...(unmark && { unmark }),
    }),
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
