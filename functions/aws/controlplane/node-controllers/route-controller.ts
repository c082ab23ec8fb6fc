import { allow } from '../../../../shared/manifests/manifests.ts'
import { hasIpv6Alone } from '../input/control-plane-values.ts'
import type { Component } from '../objects/workload.ts'
import { roleName } from '../objects/workload.ts'
import { nodeController } from './node-controller.ts'
import { nodeRoles, writeEvents } from './node-roles.ts'

const name = 'aws-custom-route-controller'

const rules = [
  allow('', 'nodes', ['get', 'list', 'watch']),
  allow('', 'nodes/status', ['get', 'patch', 'update']),
  writeEvents,
  allow('events.k8s.io', 'events', ['create', 'get', 'list', 'patch', 'update', 'watch']),
]

/** Ensures the VPC routes to the nodes' pod ranges, if the overlay is off. */
export const routeController: Component = {
  seed: rendering =>
    nodeController(rendering, {
      name,
      isOn: rendering.config.useCustomRouteController && !hasIpv6Alone(rendering.networking),
      command: ({ ofSeed, ofShoot }) => [
        ...ofSeed,
        `--pod-network-cidr=${rendering.networking.podRanges.join(',')}`,
        ...ofShoot,
      ],
    }),
  // Also applied if the controller is off because IPv4 is missing.
  shoot: ({ config }) => (config.useCustomRouteController ? nodeRoles(name, roleName(name), rules) : []),
}
