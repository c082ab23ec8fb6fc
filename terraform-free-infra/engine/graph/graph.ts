import type { Attributes } from './attributes.ts'
import { type Ref, type Resource, type ResourceOptions, refTo, resourceOf } from './resource.ts'
import type { AnyType, CallContext, ResourceType } from './resource-type.ts'

/** A checked graph: resources in an order in which each comes after what it depends on. */
export interface Graph<C> {
  readonly resources: readonly Resource<C>[]
  /** Also those that have no resource: what is found of them and proved ours is removed. */
  readonly types: readonly AnyType<C>[]
  /** Absent: what is made carries no marks, or keeps them. */
  readonly unmark?: Unmark<C>
}

/** Takes the marks of things away, by the ids of the marks. */
export type Unmark<C> = (call: CallContext<C>, marks: readonly string[]) => Promise<void>

export interface GraphBuilder<C> {
  /**
   * Adds a resource and returns a reference to it. Its label is what the type is and its name: `subnet nodes-a`; a
   * name that is empty makes the type alone the label.
   */
  add<A extends Attributes, O, N extends Readonly<Record<string, unknown>>>(
    type: ResourceType<C, A, O, N>,
    name: string,
    options: ResourceOptions<A, O, N>,
  ): Ref<O>
  /**
   * What is found of the type, is proved ours and is no resource of the graph is removed, unless it is in use. Implied by
   * `add`.
   */
  sweep<A extends Attributes, O, N extends Readonly<Record<string, unknown>>>(
    type: ResourceType<C, A, O, N>,
  ): void
  /** How marks are taken away once everything that is desired is there and recorded. */
  unmarkBy(unmark: Unmark<C>): void
  /** Checks the graph; throws a `GraphError` that names what is missing, or the resources of a cycle. */
  build(): Graph<C>
}

export const graphOf = <C>(): GraphBuilder<C> => {
  const resources = new Map<string, Resource<C>>()
  const types = new Map<string, AnyType<C>>()
  let unmark: Unmark<C> | undefined
  const include = (type: AnyType<C>): void => {
    const known = types.get(type.what)
    if (known !== undefined && known !== type) throw new GraphError(`there are two types called ${type.what}`)
    types.set(type.what, type)
  }
  return {
    add: (type, name, options) => {
      const label = name === '' ? type.what : `${type.what} ${name}`
      if (resources.has(label)) throw new GraphError(`there are two resources called ${label}`)
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

/** A graph that cannot be: the resources that make it so are named. */
export class GraphError extends Error {
  override readonly name = 'GraphError'
}

/** The resources, each after what it depends on; throws a `GraphError` for what is missing, unwanted or in a circle. */
const inOrder = <C>(resources: ReadonlyMap<string, Resource<C>>): readonly Resource<C>[] => {
  const ordered = new Set<Resource<C>>()
  const visit = (resource: Resource<C>, path: readonly string[]): void => {
    if (ordered.has(resource)) return
    if (path.includes(resource.label)) {
      const circle = [...path.slice(path.indexOf(resource.label)), resource.label]
      throw new GraphError(`${circle.join(' needs ')}: that is a circle`)
    }
    for (const label of resource.dependencies) {
      const needed = resources.get(label)
      if (needed === undefined)
        throw new GraphError(`${resource.label} needs ${label}, which is not in the graph`)
      if (resource.wanted && !needed.wanted && resource.required.includes(label))
        throw new GraphError(`${resource.label} needs ${label}, which is not wanted`)
      visit(needed, [...path, resource.label])
    }
    ordered.add(resource)
  }
  for (const resource of resources.values()) visit(resource, [])
  return [...ordered]
}
