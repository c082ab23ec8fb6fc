import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'
import { int64 } from './scalars.ts'

const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT'] as const

/** A DNS record (docs/contract/kinds.md#dnsrecord). `dnsRecordProblems` has the rules for its values. */
export const dnsRecordSchema = z
  .object({
    ...objectHead('DNSRecord'),
    spec: z
      .object({
        ...defaultSpec,
        secretRef: secretReference.describe('The Secret with the credentials of the DNS provider.'),
        region: z
          .string()
          .describe(
            "Region for the provider's API. Default: the region in the Secret, else the provider's default.",
          )
          .exactOptional(),
        zone: z
          .string()
          .describe(
            "Id of the hosted zone. Default: the zone with the longest name that is a suffix of the record's name.",
          )
          .exactOptional(),
        name: z.string().describe('The fully qualified domain name. Immutable.'),
        recordType: z.enum(recordTypes).describe('A, AAAA, CNAME or TXT. Immutable.'),
        values: z.array(z.string()).describe('Addresses, one domain name (CNAME), or texts.'),
        ttl: int64.describe('Time to live in seconds. Default: 120.').exactOptional(),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        zone: z.string().describe('Id of the hosted zone of the record.').exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('A DNS record of a shoot or a seed.')
/** A DNSRecord, parsed with its schema. */
export type DNSRecord = z.infer<typeof dnsRecordSchema>
