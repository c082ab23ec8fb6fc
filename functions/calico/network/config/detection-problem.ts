import { isIP } from 'node:net'
import { isCidr } from './cidr.ts'

const alone = ['first-found', 'kubernetes-internal-ip']
const withInterface = ['interface', 'skip-interface']
const host = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

/**
 * Checks a detection method for the address of a node, such as `interface=eth.*` or `cidr=10.0.0.0/16`. Returns the
 * expected form, or undefined if the method is valid. Expressions for interface names are not checked: Calico parses
 * them as Go expressions.
 */
export const detectionProblem = (method: string): string | undefined => {
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
