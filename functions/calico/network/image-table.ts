import type { ImageSource } from '../../../build/library/components.ts'

/** Names of images, as used in an override. */
export type CalicoImage = (typeof imageTable)[number]['name']

const calico = 'quay.io/calico'
const proportional = 'registry.k8s.io/cpa'
const version = 'v3.31.6'

/** The images of Calico and its additions, for every Kubernetes version of a shoot. */
export const imageTable = [
  { name: 'calico-node', repository: `${calico}/node`, tag: version },
  { name: 'calico-cni', repository: `${calico}/cni`, tag: version },
  { name: 'calico-typha', repository: `${calico}/typha`, tag: version },
  { name: 'calico-kube-controllers', repository: `${calico}/kube-controllers`, tag: version },
  { name: 'calico-cpa', repository: `${proportional}/cluster-proportional-autoscaler`, tag: 'v1.10.3' },
  { name: 'calico-cpva', repository: `${proportional}/cpvpa`, tag: 'v0.8.10' },
  { name: 'bird-exporter', repository: 'ghcr.io/czerwonk/bird_exporter', tag: 'v1.5.0' },
  { name: 'multus-cni', repository: 'ghcr.io/k8snetworkplumbingwg/multus-cni', tag: 'v4.3.0' },
  {
    name: 'cni-plugins',
    // Built with each release of the Go extension.
    repository: 'europe-docker.pkg.dev/gardener-project/releases/gardener/extensions/cni-plugins',
    tag: 'v1.60.0',
  },
] as const satisfies readonly ImageSource[]
