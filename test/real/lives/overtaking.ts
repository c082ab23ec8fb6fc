import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'

/**
 * Lets another client create the first object of each of these resources right before the function: the same, except
 * for its labels and its guarantee to be immutable.
 */
export const overtaking = (
  fn: Kubernetes,
  administrator: Kubernetes,
  plurals: readonly string[],
): Kubernetes => {
  const left = new Set(plurals)
  return {
    ...fn,
    create: async (resource, object, options) => {
      if (left.delete(resource.plural)) {
        const { immutable: _, ...others } = Object(object)
        const metadata = { ...object.metadata, labels: { 'example.org/made-by': 'somebody-else' } }
        await administrator.create(resource, { ...others, metadata })
      }
      return fn.create(resource, object, options)
    },
  }
}
