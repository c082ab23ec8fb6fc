import { allow } from '../../../../shared/manifests/manifests.ts'

export const writeEvents = allow('', 'events', ['create', 'patch', 'update'])

/** The permissions for leader election: a lease with this name, and events about it. */
export const leaderRules = (name: string) => [
  allow('coordination.k8s.io', 'leases', ['get', 'update'], `${name}-leader-election`),
  allow('coordination.k8s.io', 'leases', ['create']),
  writeEvents,
]
