import type { GroupVersionResource, Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

/**
 * Sends equal reads of some resources once. A failed one is sent again, and lists without an end are not shared.
 *
 * @param isShared default: all resources
 */
export const readOnce = (
  kubernetes: Kubernetes,
  isShared: (resource: GroupVersionResource) => boolean = () => true,
): Kubernetes => {
  const answers = new Map<string, Promise<unknown>>()
  const once = <T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> => {
    const text = JSON.stringify(key)
    const answer = (answers.get(text) as Promise<T> | undefined) ?? read()
    answers.set(text, answer)
    answer.catch(() => answers.delete(text))
    return answer
  }
  return {
    ...kubernetes,
    get: (resource, key, options) => {
      const read = () => kubernetes.get(resource, key, options)
      return isShared(resource) ? once(['get', resource, key.namespace, key.name], read) : read()
    },
    list: (resource, options = {}) => {
      const { signal: _, each, ...what } = options
      const read = () => kubernetes.list(resource, options)
      return each === undefined && isShared(resource) ? once(['list', resource, what], read) : read()
    },
  }
}
