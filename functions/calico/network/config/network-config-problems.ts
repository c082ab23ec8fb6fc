import { isIP } from 'node:net'
import { canonicalQuantity, when } from '../../../../build/library/components.ts'
import { type Problem, shown } from '../../../../build/library/trellis.ts'
import { isCidr } from './cidr.ts'
import type { NetworkConfig } from './network-config.ts'

/**
 * Returns the problems of a config for a shoot with these IP families (`IPv4`, `IPv6`) that its schema does not find.
 * Paths begin at the config (docs/contract/small-kinds.md#network).
 */
export const networkConfigProblems = (
  config: NetworkConfig,
  ipFamilies: readonly string[],
): readonly Problem[] => [
  ...ipamProblems(config, ipFamilies),
  ...(['ipv4', 'ipv6'] as const).flatMap(family => poolProblems(config, family)),
  ...familyProblems(config, ipFamilies),
  ...detectionProblems('ipv4.autoDetectionMethod', config.ipv4?.autoDetectionMethod || undefined),
  ...detectionProblems('ipv6.autoDetectionMethod', config.ipv6?.autoDetectionMethod || undefined),
  ...detectionProblems('ipAutodetectionMethod', config.ipAutodetectionMethod),
  ...mtuProblems(config),
  ...(['node', 'typha'] as const).flatMap(component => amountProblems(config, component)),
]

/** Without kube-proxy, only Calico in eBPF mode routes to Services. Paths begin at the Shoot. */
export const kubeProxyProblems = (
  config: NetworkConfig,
  kubeProxy: { readonly enabled?: boolean | null | undefined } | null | undefined,
): readonly Problem[] =>
  when(kubeProxy?.enabled === false && config.ebpfDataplane?.enabled !== true, {
    path: 'spec.kubernetes.kubeProxy.enabled',
    message: 'Disabling kube-proxy is forbidden in conjunction with calico without running in ebpf dataplane',
    kind: 'forbidden',
  })

const ipamProblems = ({ ipam }: NetworkConfig, ipFamilies: readonly string[]): readonly Problem[] => [
  ...(ipam?.type === 'calico-ipam' && ipFamilies.includes('IPv6')
    ? [{ path: 'ipam.type', message: 'expected host-local beside IPv6, found "calico-ipam"' }]
    : []),
  ...(ipam?.cidr !== undefined && ipam.cidr.toLowerCase() !== 'usepodcidr' && !isCidr(ipam.cidr)
    ? [{ path: 'ipam.cidr', message: `expected usePodCidr or a CIDR, found ${shown(ipam.cidr)}` }]
    : []),
]

const poolProblems = (config: NetworkConfig, family: 'ipv4' | 'ipv6'): readonly Problem[] => {
  const { pool, mode } = config[family] ?? {}
  const problems: Problem[] = []
  if (family === 'ipv6' && pool === 'ipip')
    problems.push({ path: 'ipv6.pool', message: 'expected vxlan, found "ipip"', kind: 'unsupported' })
  if (pool === 'vxlan' && mode !== undefined && mode !== 'Always' && mode !== 'Never')
    problems.push({
      path: `${family}.mode`,
      message: `expected Always or Never with the pool vxlan, found ${shown(mode)}`,
      kind: 'unsupported',
    })
  return problems
}

/** Returns the problems of fields for an IP family that the shoot does not have. The default family is IPv4. */
const familyProblems = (
  { ipv4, ipv6, ipip }: NetworkConfig,
  ipFamilies: readonly string[],
): readonly Problem[] => {
  const hasIpv6 = ipFamilies.includes('IPv6')
  const hasIpv4 = !hasIpv6 || ipFamilies.includes('IPv4')
  const problem = (path: string, family: string): Problem => ({
    path,
    message: `expected nothing: the shoot has no ${family}`,
    kind: 'forbidden',
  })
  return [
    ...(ipv4 !== undefined && !hasIpv4 ? [problem('ipv4', 'IPv4')] : []),
    ...(ipip !== undefined && !hasIpv4 ? [problem('ipip', 'IPv4')] : []),
    ...(ipv6 !== undefined && !hasIpv6 ? [problem('ipv6', 'IPv6')] : []),
  ]
}

const detectionProblems = (path: string, method: string | undefined): readonly Problem[] => {
  const expected = method === undefined ? undefined : detectionProblem(method)
  return expected === undefined ? [] : [{ path, message: `expected ${expected}, found ${shown(method)}` }]
}

const mtuProblems = ({ vethMTU }: NetworkConfig): readonly Problem[] =>
  vethMTU === undefined || /^\d{1,9}$/.test(vethMTU)
    ? []
    : [{ path: 'vethMTU', message: `expected bytes as a text such as "1440", found ${shown(vethMTU)}` }]

const amountProblems = ({ autoScaling }: NetworkConfig, component: 'node' | 'typha'): readonly Problem[] =>
  Object.entries(autoScaling?.resources?.[component] ?? {}).flatMap(([name, amount]) => {
    const path = `autoScaling.resources.${component}.${name}`
    if (amount === undefined || isPositive(amount)) return []
    return [{ path, message: `expected a quantity above 0 such as 500m or 1Gi, found ${shown(amount)}` }]
  })

const isPositive = (amount: string | number): boolean => {
  try {
    return !/^(?:-|0$)/.test(canonicalQuantity(amount))
  } catch {
    return false
  }
}

const alone = ['first-found', 'kubernetes-internal-ip']
const withInterface = ['interface', 'skip-interface']
const host = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

/**
 * Checks a detection method for the address of a node, such as `interface=eth.*` or `cidr=10.0.0.0/16`. Returns the
 * expected form, or undefined if the method is valid. Expressions for interface names are not checked: Calico parses
 * them as Go expressions.
 */
const detectionProblem = (method: string): string | undefined => {
  const end = method.indexOf('=')
  const way = end === -1 ? method : method.slice(0, end)
  const parameter = end === -1 ? '' : method.slice(end + 1)
  if (alone.includes(way)) return end === -1 ? undefined : `${way} without a parameter`
  if (way === 'cidr') return parameter.split(',').every(isCidr) ? undefined : 'cidr= followed by a CIDR'
  if (withInterface.includes(way))
    return parameter === '' ? `${way}= followed by the name of an interface` : undefined
  if (way === 'can-reach')
    return isIP(parameter) !== 0 || host.test(parameter) ? undefined : 'can-reach= followed by an address'
  return 'first-found, kubernetes-internal-ip, can-reach=, interface=, skip-interface= or cidr='
}
