import type { LabelSelector } from '../../../shared/webhooks/admission/admission.ts'

/** The component of these webhooks. Their sidecar is named after it. */
export const component = 'provider-aws'

/** Namespaces of shoots on AWS, in the seed. */
export const shootNamespaces: LabelSelector = {
  matchExpressions: [{ key: 'shoot.gardener.cloud/provider', operator: 'In', values: ['aws'] }],
}

/** Gardener's own namespace in a shoot. */
export const systemNamespaces: LabelSelector = {
  matchExpressions: [{ key: 'gardener.cloud/purpose', operator: 'In', values: ['kube-system'] }],
}

/** The ingress controller that a shoot may have as an addon. */
export const nginxIngress: LabelSelector = {
  matchLabels: { app: 'nginx-ingress', component: 'controller', release: 'addons' },
}

/** Selects the objects of this provider, by the label that Gardener sets. */
export const ofProvider = { matchLabels: { 'provider.extensions.gardener.cloud/aws': 'true' } } as const
