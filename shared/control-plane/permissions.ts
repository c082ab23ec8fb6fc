import type { Permission } from '../kubernetes/kubernetes.ts'
import { resourcePermissions } from '../resources/resources.ts'
import { deployments, secrets } from './core-resources.ts'

/** Permissions of the ControlPlane flow in the API server, for the definition of a function. */
export const controlPlanePermissions: readonly (Permission & { readonly why: string })[] = [
  ...resourcePermissions.filter(({ resource }) => resource.plural !== secrets.plural),
  {
    resource: secrets,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'Certificates of the components, tokens for the shoot, and manifests of applied objects.',
  },
  {
    resource: deployments,
    verbs: ['get'],
    why: 'Checks that the API server of a hibernating shoot is down.',
  },
]
