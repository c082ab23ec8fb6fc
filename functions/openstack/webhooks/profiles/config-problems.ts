import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type Problem, problemsInEach } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import type { CloudProfileConfig } from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import { classProblems } from '../load-balancers/class-problems.ts'

/**
 * Returns the problems of a CloudProfileConfig besides its images (docs/contract/provider-openstack.md#admission).
 * Paths begin at the config.
 */
export const profileProblems = (config: CloudProfileConfig): readonly Problem[] => [
  ...floatingPoolProblems(config),
  ...providerProblems(config),
  ...keystoneProblems(config),
  ...problemsInEach(config.dnsServers, (server, index) =>
    when(isIP(server) === 0, { path: `dnsServers[${index}]`, message: 'expected an IP address' }),
  ),
  ...filled('dhcpDomain', config.dhcpDomain, 'a domain, or no such field'),
  ...problemsInEach(config.serverGroupPolicies, (policy, index) =>
    filled(`serverGroupPolicies[${index}]`, policy, 'a policy of server groups'),
  ),
]

const floatingPoolProblems = ({ constraints: { floatingPools } }: CloudProfileConfig): readonly Problem[] => {
  const path = 'constraints.floatingPools'
  const repeats = repeatsOf(floatingPools, ({ name, domain, region }) =>
    domain === undefined && region === undefined ? undefined : [name, domain, region],
  )
  return [
    ...when(floatingPools.length === 0, missing(path, 'at least one floating pool')),
    ...problemsInEach(floatingPools, (pool, index) => [
      ...filled(`${path}[${index}].name`, pool.name, 'the name of a floating pool'),
      ...filled(`${path}[${index}].region`, pool.region, 'a region, or no such field'),
      ...filled(`${path}[${index}].domain`, pool.domain, 'a domain, or no such field'),
      ...when(repeats.has(index), {
        path: `${path}[${index}].name`,
        message: 'expected each name only once for a domain and region',
        kind: 'duplicate' as const,
      }),
      ...classProblems(`${path}[${index}].loadBalancerClasses`, pool.loadBalancerClasses),
    ]),
  ]
}

const providerProblems = ({
  constraints: { loadBalancerProviders },
}: CloudProfileConfig): readonly Problem[] => {
  const path = 'constraints.loadBalancerProviders'
  const repeats = repeatsOf(loadBalancerProviders, ({ name, region }) =>
    region === undefined ? undefined : [name, region],
  )
  return [
    ...when(loadBalancerProviders.length === 0, missing(path, 'at least one provider of load balancers')),
    ...problemsInEach(loadBalancerProviders, ({ name, region }, index) => [
      ...filled(`${path}[${index}].name`, name, 'the name of a provider of load balancers'),
      ...filled(`${path}[${index}].region`, region, 'a region, or no such field'),
      ...when(repeats.has(index), {
        path: `${path}[${index}]`,
        message: 'expected each provider only once for a region',
        kind: 'duplicate' as const,
      }),
    ]),
  ]
}

const keystoneProblems = ({
  keystoneURL,
  keystoneURLs,
  keystoneCACert,
}: CloudProfileConfig): readonly Problem[] => {
  const repeats = repeatsOf(keystoneURLs, ({ region }) => [region])
  return [
    ...when(
      !keystoneURL && keystoneURLs.length === 0,
      missing('keystoneURL', 'the URL of Keystone here or in keystoneURLs'),
    ),
    ...certificateProblems('keystoneCACert', keystoneCACert),
    ...problemsInEach(keystoneURLs, ({ region, url, caCert }, index) => {
      const path = `keystoneURLs[${index}]`
      return [
        ...filled(`${path}.region`, region, 'a region'),
        ...filled(`${path}.url`, url, 'the URL of Keystone'),
        ...certificateProblems(`${path}.caCert`, caCert),
        ...when(repeats.has(index), {
          path: `${path}.region`,
          message: 'expected each region only once',
          kind: 'duplicate' as const,
        }),
      ]
    }),
  ]
}

const certificateProblems = (path: string, text: string | undefined): readonly Problem[] => {
  if (!text) return []
  try {
    new X509Certificate(text)
    return []
  } catch {
    return [{ path, message: 'expected a certificate in PEM form' }]
  }
}

/** Returns a problem if the config of a NamespacedCloudProfile has more than images. */
export const namespacedProblems = (config: CloudProfileConfig): readonly Problem[] => {
  const { apiVersion: _, kind: __, machineImages: ___, constraints, ...others } = config
  const lists = { ...others, ...constraints }
  const found = Object.entries(lists).flatMap(([name, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [name],
  )
  const message = `expected only machineImages, found also ${found.join(', ')}`
  return when(found.length > 0, { path: '', message, kind: 'forbidden' as const })
}

/** Returns the indexes of items with the key of an earlier one. An item without a key repeats none. */
const repeatsOf = <T>(
  items: readonly T[],
  keyOf: (item: T) => readonly (string | undefined)[] | undefined,
): ReadonlySet<number> => {
  const seen = new Set<string>()
  const repeats = new Set<number>()
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    if (key === undefined) continue
    const text = JSON.stringify(key)
    if (seen.has(text)) repeats.add(index)
    seen.add(text)
  }
  return repeats
}

const filled = (path: string, value: string | undefined, what: string): readonly Problem[] =>
  when(value === '', missing(path, what))

const missing = (path: string, what: string): Problem => ({
  path,
  message: `expected ${what}, found nothing`,
  kind: 'required',
})
