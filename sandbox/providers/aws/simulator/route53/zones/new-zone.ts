import { createHash } from 'node:crypto'
import type { VPC } from '@aws-sdk/client-route-53'
import type { Zone } from '../state.ts'

export interface NewZone {
  readonly id: string
  /** In canonical form. */
  readonly name: string
  readonly callerReference: string
  readonly comment?: string | undefined
  /** A zone with VPCs is private. */
  readonly vpcs?: readonly VPC[]
}

const publicServers = (id: string): string[] => {
  const digest = createHash('sha256').update(id).digest()
  return ['com', 'net', 'org', 'co.uk'].map((domain, index) => {
    const offset = digest.readUInt16BE(index * 2) % 512
    const block = String(Math.floor(offset / 8)).padStart(2, '0')
    return `ns-${index * 512 + offset}.awsdns-${block}.${domain}`
  })
}

/** The name servers of all private zones. */
const privateServers = [
  'ns-1536.awsdns-00.co.uk',
  'ns-0.awsdns-00.com',
  'ns-1024.awsdns-00.org',
  'ns-512.awsdns-00.net',
]

/** Creates a zone with its NS and SOA records, as Route 53 does ("NS and SOA records", Developer Guide). */
export const createZone = ({ id, name, callerReference, comment, vpcs = [] }: NewZone): Zone => {
  const nameServers = vpcs.length > 0 ? privateServers : publicServers(id)
  return {
    id,
    name,
    callerReference,
    comment,
    private: vpcs.length > 0,
    vpcs: [...vpcs],
    nameServers,
    recordSets: [
      {
        Name: name,
        Type: 'NS',
        TTL: 172_800,
        ResourceRecords: nameServers.map(server => ({ Value: `${server}.` })),
      },
      {
        Name: name,
        Type: 'SOA',
        TTL: 900,
        ResourceRecords: [
          { Value: `${nameServers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400` },
        ],
      },
    ],
  }
}
