import * as z from 'zod'
import { kubeletConfig } from './kubelet-config.ts'
import { atomicMap, dateTime, int32, intOrString, quantity, rawObject } from './scalars.ts'

const volume = z.object({
  name: z.string().describe('Name of the volume.').exactOptional(),
  type: z.string().describe('Type of the volume.').exactOptional(),
  size: z.string().describe('Size with unit, such as 20Gi.'),
  encrypted: z.boolean().describe('If true, the volume is encrypted.').exactOptional(),
})

const dataVolume = z.object({
  name: z.string().describe('Name of the volume.'),
  type: z.string().describe('Type of the volume.').exactOptional(),
  size: z.string().describe('Size with unit, such as 20Gi.'),
  encrypted: z.boolean().describe('If true, the volume is encrypted.').exactOptional(),
})

const taint = z.object({
  key: z.string().describe('Key of the taint.'),
  value: z.string().describe('Value of the taint.').exactOptional(),
  effect: z.string().describe('NoSchedule, PreferNoSchedule or NoExecute.'),
  timeAdded: dateTime.describe('Time at which the taint was added.').exactOptional(),
})

const machineControllerManager = z.object({
  machineDrainTimeout: z.string().describe('Time limit for the drain.').exactOptional(),
  machineHealthTimeout: z.string().describe('Time limit for an unhealthy machine.').exactOptional(),
  machineCreationTimeout: z.string().describe('Time limit for the creation of a machine.').exactOptional(),
  machinePreserveTimeout: z
    .string()
    .describe('Time for which a failed machine is preserved.')
    .exactOptional(),
  inPlaceUpdateTimeout: z.string().describe('Time limit for an update in place.').exactOptional(),
  disableHealthTimeout: z.boolean().describe('If true, an unhealthy machine is preserved.').exactOptional(),
  maxEvictRetries: int32.describe('Maximum number of attempts to evict a pod.').exactOptional(),
  nodeConditions: z
    .array(z.string())
    .describe('Node conditions that make a machine unhealthy.')
    .exactOptional(),
  autoPreserveFailedMachineMax: int32
    .describe('Maximum number of failed machines to preserve.')
    .exactOptional(),
})

const clusterAutoscaler = z.object({
  scaleDownUtilizationThreshold: z
    .string()
    .describe('Utilization below which a node may be removed.')
    .exactOptional(),
  scaleDownGpuUtilizationThreshold: z
    .string()
    .describe('GPU utilization below which a node may be removed.')
    .exactOptional(),
  scaleDownUnneededTime: z
    .string()
    .describe('Time for which a node must be unneeded before it is removed.')
    .exactOptional(),
  scaleDownUnreadyTime: z
    .string()
    .describe('Time for which an unready node must be unneeded before it is removed.')
    .exactOptional(),
  maxNodeProvisionTime: z.string().describe('Time limit for a new node to appear.').exactOptional(),
})

const nodeTemplate = z.object({
  capacity: z.record(z.string(), quantity).describe('Resources of a node.'),
  virtualCapacity: z.record(z.string(), quantity).describe('Resources without a device.').exactOptional(),
})

const userDataSecretReference = atomicMap(
  z.object({
    key: z.string().describe('Key of the Secret.'),
    // The API server defaults it to "", so an object read from it always has a name.
    name: z.string().meta({ default: '' }).describe('Name of the Secret.').exactOptional(),
    optional: z.boolean().describe('If true, the Secret may be missing.').exactOptional(),
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
  machineImage: machineImage.describe('The machine image.').exactOptional(),
  architecture: z.string().describe('CPU architecture.').exactOptional(),
  minimum: int32.describe('Fewest machines.'),
  maximum: int32.describe('Most machines.'),
  maxSurge: intOrString.describe('Maximum number or percentage of additional machines during an update.'),
  maxUnavailable: intOrString.describe(
    'Maximum number or percentage of unavailable machines during an update.',
  ),
  labels: z.record(z.string(), z.string()).describe('Labels of the nodes.').exactOptional(),
  annotations: z.record(z.string(), z.string()).describe('Annotations of the nodes.').exactOptional(),
  taints: z.array(taint).describe('Taints of the nodes.').exactOptional(),
  nodeAgentSecretName: z
    .string()
    .describe("Name of the node agent's Secret. Part of the hash of the pool.")
    .exactOptional(),
  userDataSecretRef: userDataSecretReference.describe('The Secret with the user data of new machines.'),
  providerConfig: rawObject.describe('Configuration of the provider.').exactOptional(),
  volume: volume.describe('The root volume.').exactOptional(),
  dataVolumes: z.array(dataVolume).describe('Further volumes.').exactOptional(),
  kubeletDataVolumeName: z
    .string()
    .describe('The additional volume with the state of the kubelet.')
    .exactOptional(),
  zones: z.array(z.string()).describe('Availability zones.').exactOptional(),
  machineControllerManager: machineControllerManager
    .describe('Settings of the machine controller.')
    .exactOptional(),
  kubernetesVersion: z.string().describe('Version of Kubernetes on the nodes.').exactOptional(),
  kubeletConfig: kubeletConfig.describe('Settings of the kubelet.').exactOptional(),
  nodeTemplate: nodeTemplate.describe('Capacity of a new node, for the autoscaler.').exactOptional(),
  clusterAutoscaler: clusterAutoscaler.describe('Settings of the autoscaler.').exactOptional(),
  priority: int32.describe('Priority for the autoscaler.').exactOptional(),
  updateStrategy: z
    .enum(['AutoRollingUpdate', 'AutoInPlaceUpdate', 'ManualInPlaceUpdate'])
    .describe('AutoRollingUpdate (default), AutoInPlaceUpdate or ManualInPlaceUpdate.')
    .exactOptional(),
})
export type WorkerPool = z.infer<typeof workerPool>
