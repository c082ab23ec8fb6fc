import type { Permission } from '../kubernetes/kubernetes.ts'
import { secrets } from './secret-store.ts'

/**
 * The API server permissions of the secrets manager beyond those of the lifecycle, for the definition of a function.
 */
export const secretsManagerPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: secrets,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'The CAs and certificates of the components, found by their labels.',
  },
]
