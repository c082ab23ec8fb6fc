import * as z from 'zod'
import { parseNameServerAddress } from './name-server/name-server.ts'

/** The zone of the records and its name server (docs/contract/provider-local.md#records). */
export const dnsRecordSettings = z.object({
  nameServer: z
    .string()
    .refine(
      text => parseNameServerAddress(text) !== undefined,
      'expected a host or an address, a colon and a port',
    )
    .default('ns.local.gardener.cloud:53')
    .meta({
      description: 'Primary name server of the zone, `host` or `host:port`. It must accept dynamic updates.',
    }),
  zone: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/, 'expected a domain name')
    .default('local.gardener.cloud')
    .meta({ description: 'Zone of the records.' }),
})
