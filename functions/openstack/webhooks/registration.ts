import type { LabelSelector } from '../../../shared/webhooks/admission/admission.ts'

/** The component of these webhooks. Their sidecar is named after it. */
export const component = 'provider-openstack'

/** Namespaces of shoots on OpenStack, in the seed. */
export const shootNamespaces: LabelSelector = {
  matchExpressions: [{ key: 'shoot.gardener.cloud/provider', operator: 'In', values: ['openstack'] }],
}
