import { managedResourceKind } from '../contract/resource-kinds.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import { secrets } from '../lifecycle/lifecycle.ts'

/** Permissions of this folder's code in the API server, for the definition of a function. */
export const resourcePermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: managedResourceKind.resource,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'The objects that a resource manager applies, and their progress.',
  },
  {
    resource: secrets,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'The manifests of these objects.',
  },
]
