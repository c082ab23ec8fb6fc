import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { loadBalancerIngress } from './load-balancer-ingress.ts'
import { objectHead } from './object-meta.ts'
import { atomicMap, int32 } from './scalars.ts'

/** `corev1.ObjectReference` */
const credentialsReference = atomicMap(
  z.object({
    apiVersion: z.string().describe('API version of the object.').exactOptional(),
    kind: z.string().describe('Kind of the object: Secret or WorkloadIdentity.').exactOptional(),
    name: z.string().describe('Name of the object.').exactOptional(),
    namespace: z
      .string()
      .describe('Namespace of the object; must be the namespace of the exposure.')
      .exactOptional(),
    uid: z.string().describe('UID of the object.').exactOptional(),
    resourceVersion: z.string().describe('Version of the object.').exactOptional(),
    fieldPath: z.string().describe('Part of the object.').exactOptional(),
  }),
)

const nodeAddress = z.object({
  type: z.string().describe('InternalIP, ExternalIP, Hostname, InternalDNS or ExternalDNS.'),
  address: z.string().describe('The address.'),
})

const endpoint = z.object({
  nodeName: z.string().describe('Name of the node.'),
  addresses: z.array(nodeAddress).describe('Addresses of the node.'),
})

/** A load balancer in front of a self-hosted shoot's API server (docs/contract/kinds.md#selfhostedshootexposure). */
export const selfHostedShootExposureSchema = z
  .object({
    ...objectHead('SelfHostedShootExposure'),
    spec: z
      .object({
        ...defaultSpec,
        credentialsRef: credentialsReference
          .describe('The object with the credentials of the cloud.')
          .exactOptional(),
        endpoints: z.array(endpoint).describe('The control-plane nodes.'),
        port: int32.describe('Port of the API server on the nodes.'),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        ingress: z.array(loadBalancerIngress).describe('Addresses of the API server.').exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('Access to the API server of a self-hosted shoot from outside.')
/** A SelfHostedShootExposure, parsed with its schema. */
export type SelfHostedShootExposure = z.infer<typeof selfHostedShootExposureSchema>
