import type { KubernetesObject } from '../../../../build/library/trellis.ts'
import calicoCrds from './calico.json' with { type: 'json' }
import multusCrds from './multus.json' with { type: 'json' }
import networkPolicyCrds from './network-policy-api.json' with { type: 'json' }

/**
 * The kinds that Calico reads and writes in the shoot. The texts are those of their projects, as shipped with
 * Gardener's extension for Calico v1.60, all under the Apache License 2.0: projectcalico/calico v3.31,
 * kubernetes-sigs/network-policy-api (v1alpha1), and k8snetworkplumbingwg/multus-cni v4.3.
 */
export const crds = ({ hasMultus }: { readonly hasMultus: boolean }): readonly KubernetesObject[] => [
  ...networkPolicyCrds,
  ...calicoCrds,
  ...(hasMultus ? multusCrds : []),
]
