import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import { hasIpv6Alone } from '../input/control-plane-values.ts'
import type { Component } from '../objects/workload.ts'
import { roleName } from '../objects/workload.ts'
import { leaderRules, writeEvents } from './leader-rules.ts'
import { nodeController } from './node-controller.ts'

const name = 'aws-custom-route-controller'

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
  shoot: ({ config }) => (config.useCustomRouteController ? roles() : []),
}

const roles = (): readonly KubernetesObject[] => {
  const roleOf = roleName(name)
  return [
    clusterRole(roleOf, [
      allow('', 'nodes', ['get', 'list', 'watch']),
      allow('', 'nodes/status', ['get', 'patch', 'update']),
      writeEvents,
      allow('events.k8s.io', 'events', ['create', 'get', 'list', 'patch', 'update', 'watch']),
    ]),
    clusterRoleBinding({ name: roleOf, account: name }),
    role(systemNamespace, roleOf, leaderRules(name)),
    roleBinding(systemNamespace, { name: roleOf, account: name }),
  ]
}
