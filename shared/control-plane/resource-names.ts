/**
 * The ManagedResources of a ControlPlane; Gardener's extensions call them so with every cloud
 * (docs/contract/control-planes.md#names).
 */
export const resourceNames = {
  /** Of the webhooks by which an extension changes objects of the shoot. */
  webhooks: 'extension-controlplane-shoot-webhooks',
  /** What the controllers of the seed read. */
  configuration: 'extension-controlplane-configuration-seed',
  /** The controllers of the seed. */
  seed: 'extension-controlplane-seed',
  /** What belongs to them in the shoot, and what runs there. */
  shoot: 'extension-controlplane-shoot',
  crds: 'extension-controlplane-shoot-crds',
  storageClasses: 'extension-controlplane-storageclasses',
} as const

export type ResourceName = (typeof resourceNames)[keyof typeof resourceNames]
