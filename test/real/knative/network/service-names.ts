import { nameOf } from './endpoints.ts'
import type { Service } from './service-proxy.ts'

/** The addresses of names, as the cluster's DNS returns them. */
export type NamedAddresses = ReadonlyMap<string, readonly string[]>

/** The annotation of ExternalDNS: a name of the Service outside of the cluster. */
const outsideName = 'external-dns.alpha.kubernetes.io/hostname'

/**
 * Returns the addresses of all names of Services: `x.namespace`, `x.namespace.svc` and `x.namespace.svc.cluster.local`.
 * An ExternalName is followed; without a target, it has no address. `others`: names outside of the cluster.
 */
export const serviceNames = (
  services: readonly Service[],
  addressesOf: (service: string) => readonly string[],
  others: NamedAddresses,
): NamedAddresses => {
  const own = new Map(others)
  for (const { metadata, spec } of services) {
    if (spec.type === 'ExternalName') continue
    const { clusterIP = '' } = spec
    const addresses = clusterIP === 'None' ? addressesOf(nameOf(metadata)) : [clusterIP]
    for (const name of namesOf(metadata)) own.set(name, addresses)
  }
  const aliases = services.filter(({ spec }) => spec.type === 'ExternalName')
  for (const { metadata, spec } of aliases)
    for (const name of namesOf(metadata)) own.set(name, own.get(spec.externalName ?? '') ?? [])
  return own
}

const namesOf = ({ name, namespace = '', annotations }: Service['metadata']) => [
  ...['', '.svc', '.svc.cluster.local'].map(suffix => `${name}.${namespace}${suffix}`),
  ...(annotations?.[outsideName] === undefined ? [] : [annotations[outsideName]]),
]
