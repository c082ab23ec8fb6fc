/**
 * Names of a ControlPlane's ManagedResources, the same in Gardener's extensions for every cloud
 * (docs/contract/control-planes.md#names).
 */
export const resourceNames = {
  /** The webhooks with which an extension changes objects of the shoot. */
  webhooks: 'extension-controlplane-shoot-webhooks',
  configuration: 'extension-controlplane-configuration-seed',
  seed: 'extension-controlplane-seed',
  /** The controllers' objects in the shoot and the components that run there. */
  shoot: 'extension-controlplane-shoot',
  crds: 'extension-controlplane-shoot-crds',
  storageClasses: 'extension-controlplane-storageclasses',
} as const

/** A name of a ManagedResource that Gardener knows. */
export type ResourceName = (typeof resourceNames)[keyof typeof resourceNames]
