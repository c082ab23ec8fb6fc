import * as z from 'zod'
import { kubeletConfig } from './kubelet-config.ts'
import { atomicMap, dateTime, int32, intOrString, optional, quantity, rawObject } from './scalars.ts'

const volume = z.object({
  name: optional(z.string(), 'Name of the volume.'),
  type: optional(z.string(), 'Type of the volume.'),
  size: z.string().describe('Size with unit, such as 20Gi.'),
  encrypted: optional(z.boolean(), 'If true, the volume is encrypted.'),
})

const dataVolume = z.object({
  name: z.string().describe('Name of the volume.'),
  type: optional(z.string(), 'Type of the volume.'),
  size: z.string().describe('Size with unit, such as 20Gi.'),
  encrypted: optional(z.boolean(), 'If true, the volume is encrypted.'),
})

const taint = z.object({
  key: z.string().describe('Key of the taint.'),
  value: optional(z.string(), 'Value of the taint.'),
  effect: z.string().describe('NoSchedule, PreferNoSchedule or NoExecute.'),
  timeAdded: optional(dateTime, 'Time at which the taint was added.'),
})

const machineControllerManager = z.object({
  machineDrainTimeout: optional(z.string(), 'Time limit for the drain.'),
  machineHealthTimeout: optional(z.string(), 'Time limit for an unhealthy machine.'),
  machineCreationTimeout: optional(z.string(), 'Time limit for the creation of a machine.'),
  machinePreserveTimeout: optional(z.string(), 'Time for which a failed machine is preserved.'),
  inPlaceUpdateTimeout: optional(z.string(), 'Time limit for an update in place.'),
  disableHealthTimeout: optional(z.boolean(), 'If true, an unhealthy machine is preserved.'),
  maxEvictRetries: optional(int32, 'Maximum number of attempts to evict a pod.'),
  nodeConditions: optional(z.array(z.string()), 'Node conditions that make a machine unhealthy.'),
  autoPreserveFailedMachineMax: optional(int32, 'Maximum number of failed machines to preserve.'),
})

const clusterAutoscaler = z.object({
  scaleDownUtilizationThreshold: optional(z.string(), 'Utilization below which a node may be removed.'),
  scaleDownGpuUtilizationThreshold: optional(
    z.string(),
    'GPU utilization below which a node may be removed.',
  ),
  scaleDownUnneededTime: optional(z.string(), 'Time for which a node must be unneeded before it is removed.'),
  scaleDownUnreadyTime: optional(
    z.string(),
    'Time for which an unready node must be unneeded before it is removed.',
  ),
  maxNodeProvisionTime: optional(z.string(), 'Time limit for a new node to appear.'),
})

const nodeTemplate = z.object({
  capacity: z.record(z.string(), quantity).describe('Resources of a node.'),
  virtualCapacity: optional(z.record(z.string(), quantity), 'Resources without a device.'),
})

const userDataSecretReference = atomicMap(
  z.object({
    key: z.string().describe('Key of the Secret.'),
    // The API server defaults it to "", so an object read from it always has a name.
    name: optional(z.string().meta({ default: '' }), 'Name of the Secret.'),
    optional: optional(z.boolean(), 'If true, the Secret may be missing.'),
  }),
)

const machineImage = z.object({
  name: z.string().describe('Name in the CloudProfile.'),
  version: z.string().describe('Version in the CloudProfile.'),
})

/** One pool of a Worker (docs/contract/kinds.md#worker-pools); durations in Go notation. */
export const workerPool = z.object({
  name: z.string().describe('Name of the pool.'),
  machineType: z.string().describe('Name of the machine type.'),
  machineImage: optional(machineImage, 'The machine image.'),
  architecture: optional(z.string(), 'CPU architecture.'),
  minimum: int32.describe('Fewest machines.'),
  maximum: int32.describe('Most machines.'),
  maxSurge: intOrString.describe('Maximum number or percentage of additional machines during an update.'),
  maxUnavailable: intOrString.describe(
    'Maximum number or percentage of unavailable machines during an update.',
  ),
  labels: optional(z.record(z.string(), z.string()), 'Labels of the nodes.'),
  annotations: optional(z.record(z.string(), z.string()), 'Annotations of the nodes.'),
  taints: optional(z.array(taint), 'Taints of the nodes.'),
  nodeAgentSecretName: optional(z.string(), "Name of the node agent's Secret. Part of the hash of the pool."),
  userDataSecretRef: userDataSecretReference.describe('The Secret with the user data of new machines.'),
  providerConfig: optional(rawObject, 'Configuration of the provider.'),
  volume: optional(volume, 'The root volume.'),
  dataVolumes: optional(z.array(dataVolume), 'Further volumes.'),
  kubeletDataVolumeName: optional(z.string(), 'The additional volume with the state of the kubelet.'),
  zones: optional(z.array(z.string()), 'Availability zones.'),
  machineControllerManager: optional(machineControllerManager, 'Settings of the machine controller.'),
  kubernetesVersion: optional(z.string(), 'Version of Kubernetes on the nodes.'),
  kubeletConfig: optional(kubeletConfig, 'Settings of the kubelet.'),
  nodeTemplate: optional(nodeTemplate, 'Capacity of a new node, for the autoscaler.'),
  clusterAutoscaler: optional(clusterAutoscaler, 'Settings of the autoscaler.'),
  priority: optional(int32, 'Priority for the autoscaler.'),
  updateStrategy: optional(
    z.enum(['AutoRollingUpdate', 'AutoInPlaceUpdate', 'ManualInPlaceUpdate']),
    'AutoRollingUpdate (default), AutoInPlaceUpdate or ManualInPlaceUpdate.',
  ),
})
export type WorkerPool = z.infer<typeof workerPool>
