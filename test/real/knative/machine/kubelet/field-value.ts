import type { V1Container, V1ResourceFieldSelector } from '@kubernetes/client-node'
import type { Pod, PodAddresses } from './pod.ts'

/** Returns the value of a `fieldRef`. */
export const fieldValue = (path: string, { metadata, spec }: Pod, addresses: PodAddresses): string => {
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? []
  if (map !== undefined) return metadata[map as 'labels' | 'annotations']?.[key ?? ''] ?? ''
  switch (path) {
    case 'metadata.name':
      return metadata.name
    case 'metadata.namespace':
      return metadata.namespace
    case 'metadata.uid':
      return metadata.uid
    case 'metadata.labels':
      return lines(metadata.labels)
    case 'metadata.annotations':
      return lines(metadata.annotations)
    case 'spec.nodeName':
      return spec.nodeName ?? ''
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? 'default'
    case 'status.podIP':
    case 'status.podIPs':
      return addresses.pod
    case 'status.hostIP':
    case 'status.hostIPs':
      return addresses.node
    default:
      throw new Error(`the field ${path} is unknown to this kubelet`)
  }
}

const lines = (map: Readonly<Record<string, string>> = {}): string =>
  Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n')

/** Returns the value of a `resourceFieldRef`: whole divisors, rounded up. Without a limit: the node's capacity. */
export const resourceValue = (
  { resource, divisor }: V1ResourceFieldSelector,
  { resources }: Pick<V1Container, 'resources'>,
  capacity: Readonly<Record<string, string>>,
): string => {
  const [list = '', name = ''] = resource.split('.', 2)
  const stated = list === 'limits' ? resources?.limits?.[name] : resources?.requests?.[name]
  const amount = stated ?? (list === 'limits' ? capacity[name] : undefined) ?? '0'
  const unit = amountOf(divisor ?? '1') || 1
  return String(Math.ceil(amountOf(amount) / unit))
}

const suffixes: Readonly<Record<string, number>> = {
  ...{ '': 1, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 },
}

/** Reads a quantity of memory or CPU as a number. */
export const amountOf = (quantity: string): number => {
  const [, digits, suffix = ''] = /^([\d.]+)([a-zA-Z]*)$/.exec(quantity) ?? []
  const factor = suffixes[suffix]
  if (digits === undefined || factor === undefined) throw new Error(`cannot read the quantity ${quantity}`)
  return Number(digits) * factor
}
