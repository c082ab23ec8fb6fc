import type { Problem } from '../../../../shared/decode/problems.ts'
import { overlaps, parseCidr } from '../../../cloud/cidr.ts'
import { formats, formProblems } from '../../account/config/config.ts'
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
  const { floatingPoolName, floatingPoolSubnetName: pattern, networks } = config
  const isAlone = shoot.ipFamilies?.length === 1 && shoot.ipFamilies[0] === 'IPv6'
  return [
    ...when(isAlone, '', 'IPv6 single-stack networking is not supported. Use IPv4, or IPv4 and IPv6'),
    ...formProblems('floatingPoolName', floatingPoolName, formats.name),
    ...formProblems('floatingPoolSubnetName', pattern, formats.name),
    ...(networks.id === undefined ? [] : idProblems('networks.id', networks.id)),
    ...(networks.router === undefined ? [] : idProblems('networks.router.id', networks.router.id)),
    ...when(
      networks.router !== undefined && pattern !== undefined,
      'floatingPoolSubnetName',
      'a given router has its address already. Remove this field or networks.router',
      'forbidden',
    ),
    ...workersProblems(config),
    ...ipv6Problems(config, isDualStack(shoot)),
  ]
}

const when = (
  isWrong: boolean,
  path: string,
  message: string,
  kind: Problem['kind'] = 'invalid',
): readonly Problem[] => (isWrong ? [{ path, message, kind }] : [])

const idProblems = (path: string, id: string): readonly Problem[] =>
  when(
    !/^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i.test(id),
    path,
    `expected the id of a resource, which is a UUID, found ${JSON.stringify(id)}`,
  )

const workersProblems = (config: InfrastructureConfig): readonly Problem[] => {
  const { subnetPool, workers } = config.networks
  const range = workersOf(config)
  const field = workers === '' ? 'networks.worker' : 'networks.workers'
  if (subnetPool === undefined && range === '')
    return when(
      true,
      'networks.workers',
      'expected the CIDR of the nodes, or networks.subnetPool',
      'required',
    )
  if (subnetPool === undefined) return cidrProblems(field, range, 4)
  const { id, prefixLength } = subnetPool
  const pool = 'networks.subnetPool'
  return [
    ...when(range !== '', pool, `the pool chooses the CIDR. Remove this field or ${field}`),
    ...when(id === '', `${pool}.id`, 'expected the id of a subnet pool', 'required'),
    ...when(
      !(Number(prefixLength) >= 1 && Number(prefixLength) <= 32),
      `${pool}.prefixLength`,
      'expected a number from 1 to 32',
    ),
  ]
}

const cidrProblems = (path: string, text: string, family: 4 | 6): readonly Problem[] => {
  const cidr = parseCidr(text)
  if (cidr?.family !== family)
    return when(true, path, `expected an IPv${family} CIDR, found ${JSON.stringify(text)}`)
  const { canonical } = cidr
  return when(
    canonical !== text,
    path,
    `expected a CIDR in canonical form, which is ${canonical}, found ${text}`,
  )
}

const fields = ['nodeCIDR', 'podCIDR', 'serviceCIDR'] as const

const ipv6Problems = ({ networks: { ipv6 } }: InfrastructureConfig, isDual: boolean): readonly Problem[] => {
  const ranges = fields.map(field => ({ path: `networks.ipv6.${field}`, text: ipv6?.[field] ?? '' }))
  const given = ranges.filter(({ text }) => text !== '')
  const isMissing = (isDual || ipv6 !== undefined) && given.length === 0 && !ipv6?.subnetPoolID
  const either = 'expected subnetPoolID, or nodeCIDR, podCIDR and serviceCIDR'
  return [
    ...when(isMissing, 'networks.ipv6', either, 'required'),
    ...ranges.flatMap(({ path, text }) =>
      text === ''
        ? when(given.length > 0, path, 'expected a CIDR, because another one is given', 'required')
        : cidrProblems(path, text, 6),
    ),
    ...given.flatMap((one, index) =>
      given.slice(index + 1).flatMap(other => {
        const [first, second] = [parseCidr(one.text), parseCidr(other.text)]
        const isTaken = first !== undefined && second !== undefined && overlaps(first, second)
        return when(isTaken, other.path, `${other.text} overlaps ${one.text} of ${one.path}`)
      }),
    ),
  ]
}
