import * as z from 'zod'
import { atomicList, atomicMap, int32, openObject, optional, setList, timeText } from './scalars.ts'

const templateMetadata = openObject({
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
}).describe('Labels and annotations of the created object.')

const classReference = z.object({
  apiGroup: optional(z.string(), 'Group of the class.'),
  kind: optional(z.string(), 'MachineClass.'),
  name: optional(z.string(), 'Name of the class.'),
})

const configMapSource = z
  .object({
    kubeletConfigKey: z.string().describe('Key of the ConfigMap.'),
    name: z.string().describe('Name of the ConfigMap.'),
    namespace: z.string().describe('Namespace of the ConfigMap.'),
    resourceVersion: optional(z.string(), 'Version of the ConfigMap.'),
    uid: optional(z.string(), 'UID of the ConfigMap.'),
  })
  .describe('A ConfigMap.')

const taint = z.object({
  effect: z.string().describe('NoSchedule, PreferNoSchedule or NoExecute.'),
  key: z.string().describe('Key of the taint.'),
  timeAdded: optional(timeText, 'Time at which the taint was added.'),
  value: optional(z.string(), 'Value of the taint.'),
})

const nodeSpec = z.object({
  configSource: optional(z.object({ configMap: configMapSource.exactOptional() }), 'No longer used.'),
  externalID: optional(z.string(), 'No longer used.'),
  podCIDR: optional(z.string(), 'Addresses of the pods.'),
  podCIDRs: optional(setList(z.array(z.string())), 'Addresses of the pods.'),
  providerID: optional(z.string(), 'Id of the machine at the cloud.'),
  taints: optional(atomicList(z.array(taint)), 'Taints of the node.'),
  unschedulable: optional(z.boolean(), 'If true, no pod is scheduled to the node.'),
})

/**
 * The desired machine: the spec of a Machine and of the templates of sets and deployments. Durations in Go notation.
 */
export const machineSpec = z.object({
  class: optional(classReference, 'Machine definition for the cloud.'),
  creationTimeout: optional(z.string(), 'Time limit for the creation.'),
  disableHealthTimeout: optional(z.boolean(), 'If true, an unhealthy machine is preserved.'),
  drainTimeout: optional(z.string(), 'Time limit for the drain.'),
  healthTimeout: optional(z.string(), 'Time limit for an unhealthy machine.'),
  inPlaceUpdateTimeout: optional(z.string(), 'Time limit for an update in place.'),
  machinePreserveTimeout: optional(z.string(), 'Time for which a failed machine is preserved.'),
  maxEvictRetries: optional(int32, 'Maximum number of attempts to evict a pod.'),
  nodeConditions: optional(z.string(), 'Node conditions that make a machine unhealthy, separated by commas.'),
  nodeTemplate: optional(
    z.object({
      metadata: templateMetadata.exactOptional(),
      spec: optional(nodeSpec, 'Desired spec of the node.'),
    }),
    'Desired labels, annotations and spec of the node.',
  ),
  providerID: optional(z.string(), 'Id of the machine at the cloud.'),
})

export const machineTemplate = z.object({
  metadata: templateMetadata.exactOptional(),
  spec: optional(machineSpec, 'Desired spec of a machine.'),
})

const requirement = z.object({
  key: z.string().describe('Key of the label.'),
  operator: z.string().describe('In, NotIn, Exists or DoesNotExist.'),
  values: optional(atomicList(z.array(z.string())), 'Values to compare with.'),
})

export const labelSelector = atomicMap(
  z.object({
    matchExpressions: optional(atomicList(z.array(requirement)), 'Conditions on labels.'),
    matchLabels: optional(z.record(z.string(), z.string()), 'Labels with their values.'),
  }),
)
