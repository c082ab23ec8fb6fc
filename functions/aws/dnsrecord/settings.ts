import * as z from 'zod'

/**
 * The rate at which one process calls Route 53 with one set of credentials. AWS allows 5 requests per second and
 * account.
 */
export const dnsRecordSettings = z.object({
  clientQps: z.coerce
    .number()
    .positive()
    .default(1)
    .meta({ description: 'Route 53 reads and changes per second, for each access key id or role.' }),
  clientBurst: z.coerce
    .number()
    .int()
    .min(2)
    .default(5)
    .meta({ description: 'Burst of Route 53 calls; a changed record needs 2.' }),
  waitTimeoutMs: z.coerce.number().min(0).default(2_000).meta({
    description:
      'Maximum wait inside a step for the Route 53 rate limit. Records further back in the queue end their step and continue later.',
  }),
})
export type DnsRecordSettings = Readonly<z.infer<typeof dnsRecordSettings>>
