import type { Permission } from '../kubernetes/kubernetes.ts'
import { secrets } from '../lifecycle/lifecycle.ts'

/** What the flow of an OperatingSystemConfig does in the API server, for the definition of a function. */
export const operatingSystemConfigPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: secrets,
    verbs: ['get', 'create', 'patch'],
    why: 'Files whose content is in a Secret; the Secret osc-result-… with the user data of new machines.',
  },
]
