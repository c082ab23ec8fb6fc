import { builtIn } from './core-types.ts'
import type { ResourceDefinition } from './resource-definition.ts'

/** Stored like any object. No traffic is filtered. */
export const networkTypes: readonly ResourceDefinition[] = [
  builtIn({
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    namespaced: true,
    shortNames: ['netpol'],
    countsGenerations: true,
  }),
  builtIn({
    group: 'discovery.k8s.io',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    namespaced: true,
    countsGenerations: true,
  }),
]
