import { machineKinds } from '../contract/machine-kinds.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import { deployments, pods, secrets } from './core-resources.ts'

/** The permissions that the flow of a Worker needs in the API server, for the definition of a function. */
export const workerPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: machineKinds.MachineClass.resource,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'What the machines of a pool are, in each zone.',
  },
  {
    resource: machineKinds.MachineDeployment.resource,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'The machines of a pool in each zone; its status says how far they are.',
  },
  {
    resource: machineKinds.MachineSet.resource,
    verbs: ['list', 'create', 'delete'],
    why: 'Whether a new class has arrived; made when a shoot comes from another seed.',
  },
  {
    resource: machineKinds.Machine.resource,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'Marked to be deleted without draining; made when a shoot comes from another seed.',
  },
  {
    resource: secrets,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'The Secret of each class, with the user data of new machines.',
  },
  {
    resource: deployments,
    verbs: ['get'],
    why: 'Whether a machine controller is there to let go what is deleted.',
  },
  {
    resource: deployments,
    subresource: 'scale',
    verbs: ['patch'],
    why: 'No machine controller in hibernation, and one after a restore.',
  },
  {
    resource: pods,
    verbs: ['list', 'delete'],
    why: 'A machine controller that does nothing is restarted.',
  },
]
