import type { GroupVersionResource } from '../../../shared/kubernetes/kubernetes.ts'

const namespaced = (group: string, plural: string): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced: true,
})

/** The resources that functions manage in the provider cluster, by kind. */
export const providerResources = {
  Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  IPPool: { group: 'crd.projectcalico.org', version: 'v1', plural: 'ippools', namespaced: false },
  NetworkPolicy: namespaced('networking.k8s.io', 'networkpolicies'),
  Secret: namespaced('', 'secrets'),
  Pod: namespaced('', 'pods'),
  Service: namespaced('', 'services'),
  EndpointSlice: namespaced('discovery.k8s.io', 'endpointslices'),
} as const satisfies Readonly<Record<string, GroupVersionResource>>
