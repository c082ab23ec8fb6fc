import { type Problem, problemsInEach, shown, shownNames } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import {
  allowedFloatingPool,
  type CloudProfileConfig,
  type ControlPlaneConfig,
  type LoadBalancerClass,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'

/** The choices of a Shoot that its CloudProfile restricts: true if new or changed. */
export interface RestrictedChoices {
  readonly floatingPool: boolean
  readonly loadBalancerProvider: boolean
  readonly loadBalancerClasses: boolean
}

/** The facts of a Shoot that restrict its choices. */
interface ChoiceFacts {
  readonly floatingPoolName: string
  readonly domain: string
  readonly region: string
  readonly constraints: CloudProfileConfig['constraints']
}

/** Returns a problem if the CloudProfile does not offer the floating pool. The path begins at the InfrastructureConfig. */
export const poolChoiceProblems = (
  { floatingPool }: RestrictedChoices,
  facts: ChoiceFacts,
): readonly Problem[] => {
  if (!floatingPool) return []
  const found = allowedFloatingPool(facts.constraints.floatingPools, {
    ...facts,
    name: facts.floatingPoolName,
  })
  return found.ok
    ? []
    : [
        {
          path: 'floatingPoolName',
          message: `expected a floating pool of the cloud profile for the domain and region (${shownNames(found.allowed) || 'it has none'}), found ${shown(facts.floatingPoolName)}`,
          kind: 'unsupported',
        },
      ]
}

/** Returns the problems of load balancers that the CloudProfile does not offer. Paths begin at the ControlPlaneConfig. */
export const loadBalancerChoiceProblems = (
  { loadBalancerProvider, loadBalancerClasses }: RestrictedChoices,
  config: ControlPlaneConfig,
  facts: ChoiceFacts,
): readonly Problem[] => [
  ...(loadBalancerProvider ? providerChoiceProblems(config, facts) : []),
  ...(loadBalancerClasses ? classChoiceProblems(config, facts) : []),
]

/** Providers for the region override those for all regions. */
const providerChoiceProblems = (
  { loadBalancerProvider }: ControlPlaneConfig,
  { constraints: { loadBalancerProviders }, region }: ChoiceFacts,
): readonly Problem[] => {
  const ofRegion = loadBalancerProviders.filter(one => one.region === region)
  const offered =
    ofRegion.length > 0 ? ofRegion : loadBalancerProviders.filter(one => one.region === undefined)
  const names = offered.map(({ name }) => name)
  return when(!names.includes(loadBalancerProvider), {
    path: 'loadBalancerProvider',
    message: `expected a provider of load balancers of the cloud profile (${shownNames(names) || 'it has none'}), found ${shown(loadBalancerProvider)}`,
    kind: 'unsupported',
  })
}

/** Classes are compared by their networks. Name and purpose may differ. */
const classChoiceProblems = (
  { loadBalancerClasses }: ControlPlaneConfig,
  { constraints, ...facts }: ChoiceFacts,
): readonly Problem[] => {
  if (loadBalancerClasses.length === 0) return []
  const found = allowedFloatingPool(constraints.floatingPools, { ...facts, name: facts.floatingPoolName })
  if (!found.ok)
    return [
      {
        path: 'loadBalancerClasses',
        message: `expected none because the cloud profile does not offer the floating pool ${shown(facts.floatingPoolName)}`,
      },
    ]
  const offered = found.pool.loadBalancerClasses
  if (offered.length === 0) return []
  const networks = new Set(offered.map(networksOf))
  return problemsInEach(loadBalancerClasses, (one, index) =>
    when(!networks.has(networksOf(one)), {
      path: `loadBalancerClasses[${index}]`,
      message: `expected the networks of a class of the floating pool (${shownNames(offered.map(({ name }) => name))})`,
      kind: 'unsupported' as const,
    }),
  )
}

const networksOf = (one: LoadBalancerClass): string =>
  JSON.stringify([
    one.floatingNetworkID,
    one.floatingSubnetID,
    one.floatingSubnetName,
    one.floatingSubnetTags,
    one.subnetID,
  ])
