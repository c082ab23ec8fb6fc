import { type Network, type Problem, shown } from '../../../../build/library/trellis.ts'
import { decodeNetworkConfig, isCidr, type NetworkConfig, networkConfigProblems } from '../config/calico.ts'
import { asUsersProblem, throwProblems } from './problem.ts'

export type NetworkFamily = 'IPv4' | 'IPv6'

/** The IP families of a shoot. Default: IPv4. */
export const familiesOf = ({ spec: { ipFamilies = [] } }: Network): readonly NetworkFamily[] =>
  ipFamilies.length === 0 ? ['IPv4'] : ipFamilies

/** Reads the config of the Network. Throws a `CodedError` with its errors (docs/contract/small-kinds.md#network). */
export const readNetwork = (network: Network): NetworkConfig => {
  throwProblems('invalid network resource', networkProblems(network))
  const config = asUsersProblem('could not decode spec.providerConfig', () =>
    decodeNetworkConfig(network.spec.providerConfig),
  )
  throwProblems(
    'invalid network config',
    networkConfigProblems(config, familiesOf(network)).map(problem => ({
      ...problem,
      path: `spec.providerConfig.${problem.path}`,
    })),
  )
  return config
}

const networkProblems = ({ spec }: Network): readonly Problem[] => {
  const { ipFamilies = [] } = spec
  const problems: Problem[] = (['podCIDR', 'serviceCIDR'] as const)
    .filter(field => !isCidr(spec[field]))
    .map(field => ({
      path: `spec.${field}`,
      message: `expected a CIDR such as 10.0.0.0/16, found ${shown(spec[field])}`,
    }))
  if (new Set(ipFamilies).size < ipFamilies.length)
    problems.push({ path: 'spec.ipFamilies', message: 'expected each family once', kind: 'duplicate' })
  return problems
}
