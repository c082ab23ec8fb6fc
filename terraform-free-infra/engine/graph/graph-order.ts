import type { Resource } from './graph.ts'

/** A graph that cannot be: the resources that make it so are named. */
export class GraphError extends Error {
  override readonly name = 'GraphError'
}

/** The resources, each after what it depends on; throws a `GraphError` for what is missing, unwanted or in a circle. */
export const inOrder = <C>(resources: ReadonlyMap<string, Resource<C>>): readonly Resource<C>[] => {
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
