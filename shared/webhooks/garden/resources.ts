import type { FunctionPermission } from '../../runtime/runtime.ts'

const core = { group: 'core.gardener.cloud', version: 'v1beta1' } as const
const security = { group: 'security.gardener.cloud', version: 'v1alpha1' } as const

/** The resources that are looked up in the garden cluster. */
export const garden = {
  cloudProfiles: { ...core, plural: 'cloudprofiles', namespaced: false },
  namespacedCloudProfiles: { ...core, plural: 'namespacedcloudprofiles', namespaced: true },
  secretBindings: { ...core, plural: 'secretbindings', namespaced: true },
  credentialsBindings: { ...security, plural: 'credentialsbindings', namespaced: true },
  internalSecrets: { ...core, plural: 'internalsecrets', namespaced: true },
  workloadIdentities: { ...security, plural: 'workloadidentities', namespaced: true },
  secrets: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
} as const satisfies Readonly<Record<string, FunctionPermission['resource']>>

/** Returns true if an object can have this name. A name from a user becomes part of a path. */
export const isName = (name: string): boolean => !['', '.', '..'].includes(name)
