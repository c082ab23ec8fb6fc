import { kinds } from '../contract/kinds.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import { secrets } from '../lifecycle/lifecycle.ts'

/** Permissions of the OperatingSystemConfig flow in the API server, for the definition of a function. */
export const operatingSystemConfigPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: secrets,
    verbs: ['get', 'create', 'patch'],
    why: 'Reads Secrets with contents of files, and writes the Secret osc-result-… with the user data of new machines.',
  },
  {
    resource: kinds.OperatingSystemConfig.resource,
    subresource: 'finalizers',
    verbs: ['update'],
    why: 'The config owns the Secret of its user data, and the owner reference blocks its deletion.',
  },
]
