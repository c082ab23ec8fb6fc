import { allow } from '../../../../shared/manifests/manifests.ts'
import { type ControlPlaneNetworking, isIpv6 } from '../input/control-plane-values.ts'
import type { Component } from '../objects/workload.ts'
import { nodeController } from './node-controller.ts'
import { nodeRoles, writeEvents } from './node-roles.ts'

const name = 'aws-ipam-controller'

const rules = [allow('', 'nodes', ['get', 'list', 'watch', 'create', 'patch', 'update']), writeEvents]

/** Copies the pod ranges that AWS assigned to nodes, if nodes have IPv6. */
export const ipamController: Component = {
  seed: rendering =>
    nodeController(rendering, {
      name,
      isOn: rendering.networking.hasNodesWithIpv6,
      command: ({ ofSeed, ofShoot }) => [
        ...ofSeed,
        ...ofShoot,
        `--cluster-cidrs=${ipv4RangeOf(rendering.networking)}`,
        `--mode=${modeOf(rendering.networking)}`,
        `--primary-ip-family=${primaryFamilyOf(rendering.networking)}`,
        `--node-cidr-mask-size-ipv4=${maskSize(rendering.networking, 'IPv4', 24)}`,
        `--node-cidr-mask-size-ipv6=${maskSize(rendering.networking, 'IPv6', 64)}`,
        '--log-level=info',
      ],
    }),
  shoot: ({ networking }) => (networking.hasNodesWithIpv6 ? nodeRoles(name, name, rules) : []),
}

/** The controller requires a range, and ignores it in mode `ipv6`. */
const ipv4RangeOf = ({ ipFamilies, podRanges }: ControlPlaneNetworking): string =>
  (ipFamilies.includes('IPv4') ? podRanges.findLast(range => !isIpv6(range)) : undefined) ?? '192.168.0.0/16'

const modeOf = ({ ipFamilies }: ControlPlaneNetworking): string => {
  if (ipFamilies.length === 2) return 'dual-stack'
  return ipFamilies.includes('IPv6') ? 'ipv6' : 'ipv4'
}

/** Only used with two families. */
const primaryFamilyOf = ({ ipFamilies }: ControlPlaneNetworking): string =>
  ipFamilies.length === 2 ? (ipFamilies[0] ?? '').toLowerCase() : 'ipv4'

/** The shoot's mask size applies to its only family. */
const maskSize = (
  { ipFamilies, nodeCidrMaskSize }: ControlPlaneNetworking,
  family: string,
  usual: number,
): number => (ipFamilies.length === 1 && ipFamilies[0] === family ? (nodeCidrMaskSize ?? usual) : usual)
