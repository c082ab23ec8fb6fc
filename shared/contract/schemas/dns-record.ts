import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { secretReference } from './references.ts'
import { int64, optional } from './scalars.ts'

const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT'] as const

/** A DNS record (docs/contract/kinds.md#dnsrecord). `dnsRecordProblems` has the rules for its values. */
export const dnsRecordSchema = extensionObject(
  'DNSRecord',
  'A DNS record of a shoot or a seed.',
  {
    secretRef: secretReference.describe('The Secret with the credentials of the DNS provider.'),
    region: optional(
      z.string(),
      "Region for the provider's API. Default: the region in the Secret, else the provider's default.",
    ),
    zone: optional(
      z.string(),
      "Id of the hosted zone. Default: the zone with the longest name that is a suffix of the record's name.",
    ),
    name: z.string().describe('The fully qualified domain name. Immutable.'),
    recordType: z.enum(recordTypes).describe('A, AAAA, CNAME or TXT. Immutable.'),
    values: z.array(z.string()).describe('Addresses, one domain name (CNAME), or texts.'),
    ttl: optional(int64, 'Time to live in seconds. Default: 120.'),
  },
  { zone: optional(z.string(), 'Id of the hosted zone of the record.') },
)
/** A DNSRecord, parsed with its schema. */
export type DNSRecord = z.infer<typeof dnsRecordSchema>
