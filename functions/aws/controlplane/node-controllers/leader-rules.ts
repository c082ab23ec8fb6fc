import { allow } from '../../../../shared/manifests/manifests.ts'

export const writeEvents = allow('', 'events', ['create', 'patch', 'update'])

/** By which one of several replicas works: a lease of its name, and events that tell of it. */
export const leaderRules = (name: string) => [
  allow('coordination.k8s.io', 'leases', ['get', 'update'], `${name}-leader-election`),
  allow('coordination.k8s.io', 'leases', ['create']),
  writeEvents,
]
