import { machineKinds } from '../contract/machine-kinds.ts'
import { deployments, pods, secrets } from '../kubernetes/core-resources.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'

/** The permissions that the flow of a Worker needs in the API server, for the definition of a function. */
export const workerPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: machineKinds.MachineClass.resource,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'Machine definitions of a pool in each zone.',
  },
  {
    resource: machineKinds.MachineDeployment.resource,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'The machines of a pool in each zone, with their progress in the status.',
  },
  {
    resource: machineKinds.MachineSet.resource,
    verbs: ['list', 'create', 'delete'],
    why: 'Shows that a new class has arrived. Created when a shoot comes from another seed.',
  },
  {
    resource: machineKinds.Machine.resource,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'Marked for deletion without a drain. Created when a shoot comes from another seed.',
  },
  {
    resource: secrets,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'The Secret of each class, with the user data of new machines.',
  },
  {
    resource: deployments,
    verbs: ['get'],
    why: 'Shows that a machine controller runs that can release deleted objects.',
  },
  {
    resource: deployments,
    subresource: 'scale',
    verbs: ['patch'],
    why: 'Scales the machine controller to zero for hibernation, and up for a restore and a deletion.',
  },
  { resource: pods, verbs: ['list', 'delete'], why: 'Restarts a machine controller that does not act.' },
]

/** The Knative Service settings of a function for Workers, for its definition. */
export const workerService = {
  reaches: ['shoots' as const],
  maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
  concurrency: {
    value: 40,
    why: 'Steps wait for the API server, but each step of a large Worker holds its lists of machines in memory.',
  },
}
