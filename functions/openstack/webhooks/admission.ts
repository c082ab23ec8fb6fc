/** The component of the webhooks in the garden. */
export const admission = 'admission-openstack'

/** Selects the objects of this provider in the garden, by the label that Gardener sets. */
export const ofOpenStack = {
  matchLabels: { 'provider.extensions.gardener.cloud/openstack': 'true' },
} as const
