import type { Problem } from '../../../../shared/decode/problems.ts'
import { overlaps, parseCidr } from '../../../cloud/cidr.ts'
import { type InfrastructureConfig, workersOf } from './config.ts'

/** Facts of the shoot that the rules depend on. */
export interface ShootFamilies {
  /** `spec.networking.ipFamilies`. Undefined: IPv4. */
  readonly ipFamilies: readonly string[] | undefined
}

export const isDualStack = ({ ipFamilies = [] }: ShootFamilies): boolean =>
  ipFamilies.includes('IPv4') && ipFamilies.includes('IPv6')

/**
 * Returns the mistakes of a config by itself (docs/contract/provider-openstack.md#infrastructure). Paths are relative to
 * the config. Pure.
 */
export const configProblems = (config: InfrastructureConfig, shoot: ShootFamilies): readonly Problem[] => {
  const { floatingPoolName, floatingPoolSubnetName, networks } = config
  const isAlone = shoot.ipFamilies?.length === 1 && shoot.ipFamilies[0] === 'IPv6'
  return [
    ...(isAlone
      ? [problem('', 'IPv6 single-stack networking is not supported. Use IPv4, or IPv4 and IPv6')]
      : []),
    ...nameProblems('floatingPoolName', floatingPoolName),
    ...(floatingPoolSubnetName === undefined
      ? []
      : nameProblems('floatingPoolSubnetName', floatingPoolSubnetName)),
    ...(networks.id === undefined ? [] : idProblems('networks.id', networks.id)),
    ...(networks.router === undefined ? [] : idProblems('networks.router.id', networks.router.id)),
    ...(networks.router !== undefined && floatingPoolSubnetName !== undefined
      ? [
          problem(
            'floatingPoolSubnetName',
            'a given router has its address already. Remove this field or networks.router',
            'forbidden',
          ),
        ]
      : []),
    ...workersProblems(config),
    ...(isDualStack(shoot) || networks.ipv6 !== undefined ? ipv6Problems(config, isDualStack(shoot)) : []),
  ]
}

const problem = (path: string, message: string, kind: Problem['kind'] = 'invalid'): Problem => ({
  path,
  message,
  kind,
})

/** Names are part of queries and of Gardener's own files, so that brackets and line ends are refused. */
const nameProblems = (path: string, name: string): readonly Problem[] => {
  if (name === '') return [problem(path, 'expected a name, found an empty text', 'required')]
  if (name.length > 255) return [problem(path, `expected at most 255 characters, found ${name.length}`)]
  return /[{}[\]\n]/.test(name)
    ? [problem(path, `expected a name without brackets and line ends, found ${JSON.stringify(name)}`)]
    : []
}

const idProblems = (path: string, id: string): readonly Problem[] =>
  /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i.test(id)
    ? []
    : [problem(path, `expected the id of a resource, which is a UUID, found ${JSON.stringify(id)}`)]

const workersProblems = (config: InfrastructureConfig): readonly Problem[] => {
  const { subnetPool, workers } = config.networks
  const range = workersOf(config)
  const field = workers === '' ? 'networks.worker' : 'networks.workers'
  if (subnetPool === undefined)
    return range === ''
      ? [problem('networks.workers', 'expected the CIDR of the nodes, or networks.subnetPool', 'required')]
      : cidrProblems(field, range, 4)
  const { id, prefixLength } = subnetPool
  return [
    ...(range === ''
      ? []
      : [problem('networks.subnetPool', `the pool chooses the CIDR. Remove this field or ${field}`)]),
    ...(id === '' ? [problem('networks.subnetPool.id', 'expected the id of a subnet pool', 'required')] : []),
    ...(prefixLength === undefined || prefixLength === null || prefixLength < 1 || prefixLength > 32
      ? [problem('networks.subnetPool.prefixLength', 'expected a number from 1 to 32')]
      : []),
  ]
}

const cidrProblems = (path: string, text: string, family: 4 | 6): readonly Problem[] => {
  const cidr = parseCidr(text)
  if (cidr === undefined || cidr.family !== family)
    return [problem(path, `expected an IPv${family} CIDR, found ${JSON.stringify(text)}`)]
  return cidr.canonical === text
    ? []
    : [problem(path, `expected a CIDR in canonical form, which is ${cidr.canonical}, found ${text}`)]
}

const ranges = ['nodeCIDR', 'podCIDR', 'serviceCIDR'] as const

const ipv6Problems = (
  { networks: { ipv6 } }: InfrastructureConfig,
  isNeeded: boolean,
): readonly Problem[] => {
  const given = ranges.filter(range => ipv6?.[range] !== undefined && ipv6[range] !== '')
  if (given.length === 0)
    return isNeeded && !ipv6?.subnetPoolID
      ? [
          problem(
            'networks.ipv6',
            'expected subnetPoolID, or nodeCIDR, podCIDR and serviceCIDR, for a dual-stack shoot',
            'required',
          ),
        ]
      : []
  const missing = ranges.filter(range => !given.includes(range))
  const cidrs = given.map(range => ({ range, text: ipv6?.[range] ?? '' }))
  return [
    ...missing.map(range =>
      problem(`networks.ipv6.${range}`, 'expected a CIDR, because another one is given', 'required'),
    ),
    ...cidrs.flatMap(({ range, text }) => cidrProblems(`networks.ipv6.${range}`, text, 6)),
    ...cidrs.flatMap((one, index) =>
      cidrs.slice(index + 1).flatMap(other => {
        const [first, second] = [parseCidr(one.text), parseCidr(other.text)]
        return first !== undefined && second !== undefined && overlaps(first, second)
          ? [problem(`networks.ipv6.${other.range}`, `${other.text} overlaps ${one.range} ${one.text}`)]
          : []
      }),
    ),
  ]
}
