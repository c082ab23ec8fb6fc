import { isIPv4, isIPv6 } from 'node:net'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** A DNS name with its values. A migration retains the record, because the name must continue to resolve. */
export const dnsRecordActuator: Actuator<DNSRecord> = {
  // Gardener's admission does not compare an address with the record type.
  check: ({ object: { spec } }) => {
    const isRight = { A: isIPv4, AAAA: isIPv6, CNAME: () => spec.values.length === 1, TXT: () => true }
    const wrong = spec.values.find(value => !isRight[spec.recordType](value))
    if (wrong === undefined) return
    throw new CodedError(
      `spec.values: ${JSON.stringify(wrong)} is not valid for a record of type ${spec.recordType}`,
      {
        codes: ['ERR_CONFIGURATION_PROBLEM'],
      },
    )
  },
  reconcile: async step => {
    const { name, recordType, values, ttl = 120, zone = zoneOf(name) } = step.object.spec
    await ensureInCloud(step, {
      ...recordOf(step.object),
      properties: { name, recordType, values, ttl, zone },
    })
    return done({ zone })
  },
  remove: async step => {
    await removeFromCloud(step, recordOf(step.object))
    return done()
  },
}

const recordOf = ({ metadata: { name, namespace = '' } }: DNSRecord) => ({
  name: `record-${name}`,
  namespace,
})

/** TODO: Return the account's zone with the longest name that is a suffix of the record's name. */
const zoneOf = (name: string): string => name.split('.').slice(-2).join('.')
