import type { Reachable } from '../../shared/runtime/runtime.ts'

const gardener = 'networking.gardener.cloud'
const resources = 'networking.resources.gardener.cloud'

/**
 * The labels by which Gardener allows egress of a pod in a namespace that denies all egress
 * (docs/contract/network.md#labels).
 */
const labelOf: Readonly<Record<Reachable, string>> = {
  'public-networks': `${gardener}/to-public-networks`,
  'private-networks': `${gardener}/to-private-networks`,
  shoots: `${resources}/to-all-shoots-kube-apiserver-tcp-443`,
}

/** Labels of a pod. Every pod may resolve names and call the API server of its own cluster. */
export const networkLabels = (reaches: readonly Reachable[] = []): Readonly<Record<string, string>> => ({
  [`${gardener}/to-dns`]: 'allowed',
  [`${gardener}/to-runtime-apiserver`]: 'allowed',
  ...reachLabels(reaches),
})

/** Labels for what a pod reaches besides. */
export const reachLabels = (reaches: readonly Reachable[]): Readonly<Record<string, string>> =>
  Object.fromEntries(reaches.map(place => [labelOf[place], 'allowed']))

/** The label of admission, which runs beside the virtual garden. */
export const virtualGardenLabel = { [`${resources}/to-virtual-garden-kube-apiserver-tcp-443`]: 'allowed' }

/**
 * The labels of a function that calls the garden: the virtual garden beside it if the seed is the garden's own cluster,
 * otherwise the address in the kubeconfig, in public or private networks.
 */
export const gardenLabels = {
  [labelOf['public-networks']]: 'allowed',
  [labelOf['private-networks']]: 'allowed',
  ...virtualGardenLabel,
}
