import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { loadBalancerIngress } from './load-balancer-ingress.ts'
import { atomicMap, int32, optional } from './scalars.ts'

/** `corev1.ObjectReference` */
const credentialsReference = atomicMap(
  z.object({
    apiVersion: optional(z.string(), 'API version of the object.'),
    kind: optional(z.string(), 'Kind of the object: Secret or WorkloadIdentity.'),
    name: optional(z.string(), 'Name of the object.'),
    namespace: optional(z.string(), 'Namespace of the object; must be the namespace of the exposure.'),
    uid: optional(z.string(), 'UID of the object.'),
    resourceVersion: optional(z.string(), 'Version of the object.'),
    fieldPath: optional(z.string(), 'Part of the object.'),
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
export const selfHostedShootExposureSchema = extensionObject(
  'SelfHostedShootExposure',
  'Access to the API server of a self-hosted shoot from outside.',
  {
    credentialsRef: optional(credentialsReference, 'The object with the credentials of the cloud.'),
    endpoints: z.array(endpoint).describe('The control-plane nodes.'),
    port: int32.describe('Port of the API server on the nodes.'),
  },
  { ingress: optional(z.array(loadBalancerIngress), 'Addresses of the API server.') },
)
/** A SelfHostedShootExposure, parsed with its schema. */
export type SelfHostedShootExposure = z.infer<typeof selfHostedShootExposureSchema>
