import * as z from 'zod'
import { atomicList, int32, optional } from './scalars.ts'

/** A CamelCase word or a label key, the form of `corev1.PortStatus`. */
const portError =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$'

const portStatus = z.object({
  port: int32.describe('Port number.'),
  protocol: z.string().describe('TCP, UDP or SCTP.'),
  error: z
    .string()
    .max(316)
    .regex(new RegExp(portError))
    .meta({ pattern: portError })
    .describe('Problem of the port.'),
})

/** `corev1.LoadBalancerIngress`: an address of a load balancer. */
export const loadBalancerIngress = z.object({
  ip: optional(z.string(), 'IP address.'),
  hostname: optional(z.string(), 'DNS name.'),
  ipMode: optional(z.string(), 'VIP or Proxy: behavior of the address inside the cluster.'),
  ports: optional(atomicList(z.array(portStatus)), 'Status of single ports.'),
})
export type LoadBalancerIngress = z.infer<typeof loadBalancerIngress>
