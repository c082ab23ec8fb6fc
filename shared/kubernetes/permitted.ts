import { namesOf, type Permission, permissionName, type Verb } from './permission.ts'
import type { GroupVersionResource, Kubernetes, Subresource } from './port.ts'

/**
 * The function lacks the permission for a call, which was refused before the request. This is an error of its author.
 */
export class NotPermittedError extends Error {
  override readonly name = 'NotPermittedError'
}

/**
 * Returns a port that executes only permitted calls and throws `NotPermittedError` for all others, so that a sandbox
 * without RBAC shows what a cluster would refuse.
 */
export const permittedKubernetes = (
  kubernetes: Kubernetes,
  permissions: readonly Permission[],
): Kubernetes => {
  const permitted = new Set(permissions.flatMap(namesOf))
  const check = (verb: Verb, resource: GroupVersionResource, subresource?: Subresource): void => {
    const name = permissionName(verb, resource, subresource)
    if (permitted.has(name)) return
    throw new NotPermittedError(`no permission to ${name}: add it to the definition of the function`)
  }
  return {
    get: async (resource, ...rest) => {
      check('get', resource)
      return kubernetes.get(resource, ...rest)
    },
    list: async (resource, ...rest) => {
      check('list', resource)
      return kubernetes.list(resource, ...rest)
    },
    watch: (resource, ...rest) => {
      check('watch', resource)
      return kubernetes.watch(resource, ...rest)
    },
    create: async (resource, ...rest) => {
      check('create', resource)
      return kubernetes.create(resource, ...rest)
    },
    replace: async (resource, object, options) => {
      check('update', resource, options?.subresource)
      return kubernetes.replace(resource, object, options)
    },
    patch: async (resource, key, patch, options) => {
      check('patch', resource, options?.subresource)
      return kubernetes.patch(resource, key, patch, options)
    },
    // An API server requires both to create an object by apply.
    apply: async (resource, ...rest) => {
      check('patch', resource)
      check('create', resource)
      return kubernetes.apply(resource, ...rest)
    },
    delete: async (resource, ...rest) => {
      check('delete', resource)
      return kubernetes.delete(resource, ...rest)
    },
  }
}
