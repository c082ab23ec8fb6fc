import * as z from 'zod'
import { atomicList, atomicMap, int32, openObject, setList, timeText } from './scalars.ts'

const templateMetadata = openObject({
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
}).describe('Labels and annotations of the created object.')

const classReference = z.object({
  apiGroup: z.string().describe('Group of the class.').exactOptional(),
  kind: z.string().describe('MachineClass.').exactOptional(),
  name: z.string().describe('Name of the class.').exactOptional(),
})

const configMapSource = z
  .object({
    kubeletConfigKey: z.string().describe('Key of the ConfigMap.'),
    name: z.string().describe('Name of the ConfigMap.'),
    namespace: z.string().describe('Namespace of the ConfigMap.'),
    resourceVersion: z.string().describe('Version of the ConfigMap.').exactOptional(),
    uid: z.string().describe('UID of the ConfigMap.').exactOptional(),
  })
  .describe('A ConfigMap.')

const taint = z.object({
  effect: z.string().describe('NoSchedule, PreferNoSchedule or NoExecute.'),
  key: z.string().describe('Key of the taint.'),
  timeAdded: timeText.describe('Time at which the taint was added.').exactOptional(),
  value: z.string().describe('Value of the taint.').exactOptional(),
})

const nodeSpec = z.object({
  configSource: z
    .object({ configMap: configMapSource.exactOptional() })
    .describe('No longer used.')
    .exactOptional(),
  externalID: z.string().describe('No longer used.').exactOptional(),
  podCIDR: z.string().describe('Addresses of the pods.').exactOptional(),
  podCIDRs: setList(z.array(z.string())).describe('Addresses of the pods.').exactOptional(),
  providerID: z.string().describe('Id of the machine at the cloud.').exactOptional(),
  taints: atomicList(z.array(taint)).describe('Taints of the node.').exactOptional(),
  unschedulable: z.boolean().describe('If true, no pod is scheduled to the node.').exactOptional(),
})

/**
 * The desired machine: the spec of a Machine and of the templates of sets and deployments. Durations in Go notation.
 */
export const machineSpec = z.object({
  class: classReference.describe('Machine definition for the cloud.').exactOptional(),
  creationTimeout: z.string().describe('Time limit for the creation.').exactOptional(),
  disableHealthTimeout: z.boolean().describe('If true, an unhealthy machine is preserved.').exactOptional(),
  drainTimeout: z.string().describe('Time limit for the drain.').exactOptional(),
  healthTimeout: z.string().describe('Time limit for an unhealthy machine.').exactOptional(),
  inPlaceUpdateTimeout: z.string().describe('Time limit for an update in place.').exactOptional(),
  machinePreserveTimeout: z
    .string()
    .describe('Time for which a failed machine is preserved.')
    .exactOptional(),
  maxEvictRetries: int32.describe('Maximum number of attempts to evict a pod.').exactOptional(),
  nodeConditions: z
    .string()
    .describe('Node conditions that make a machine unhealthy, separated by commas.')
    .exactOptional(),
  nodeTemplate: z
    .object({
      metadata: templateMetadata.exactOptional(),
      spec: nodeSpec.describe('Desired spec of the node.').exactOptional(),
    })
    .describe('Desired labels, annotations and spec of the node.')
    .exactOptional(),
  providerID: z.string().describe('Id of the machine at the cloud.').exactOptional(),
})

export const machineTemplate = z.object({
  metadata: templateMetadata.exactOptional(),
  spec: machineSpec.describe('Desired spec of a machine.').exactOptional(),
})

const requirement = z.object({
  key: z.string().describe('Key of the label.'),
  operator: z.string().describe('In, NotIn, Exists or DoesNotExist.'),
  values: atomicList(z.array(z.string())).describe('Values to compare with.').exactOptional(),
})

export const labelSelector = atomicMap(
  z.object({
    matchExpressions: atomicList(z.array(requirement)).describe('Conditions on labels.').exactOptional(),
    matchLabels: z.record(z.string(), z.string()).describe('Labels with their values.').exactOptional(),
  }),
)
