import type { Reachable } from '../../../shared/runtime/runtime.ts'

const gardener = 'networking.gardener.cloud'
const resources = 'networking.resources.gardener.cloud'

/** By which Gardener lets a pod out of a namespace that lets nothing out (docs/contract/network.md#labels). */
const labelOf: Readonly<Record<Reachable, string>> = {
  'public-networks': `${gardener}/to-public-networks`,
  'private-networks': `${gardener}/to-private-networks`,
  shoots: `${resources}/to-all-shoots-kube-apiserver-tcp-443`,
}

/** Of a pod: everybody looks up names and asks the API server of the cluster that it runs in. */
export const networkLabels = (reaches: readonly Reachable[] = []): Readonly<Record<string, string>> => ({
  [`${gardener}/to-dns`]: 'allowed',
  [`${gardener}/to-runtime-apiserver`]: 'allowed',
  ...Object.fromEntries(reaches.map(place => [labelOf[place], 'allowed'])),
})

/** Of admission, which runs beside the virtual garden. */
export const virtualGardenLabel = { [`${resources}/to-virtual-garden-kube-apiserver-tcp-443`]: 'allowed' }

/**
 * Of a function that speaks to the garden: to the virtual garden beside it, where the seed is the garden's own cluster, else to wherever
 * the kubeconfig leads, in public or private networks.
 */
export const gardenLabels = {
  [labelOf['public-networks']]: 'allowed',
  [labelOf['private-networks']]: 'allowed',
  ...virtualGardenLabel,
}
