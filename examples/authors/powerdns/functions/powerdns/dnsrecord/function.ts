import { CodedError, type DNSRecord, defineFunction, done, type PlanContext } from '@trellis-gardener/trellis'
import { powerDns, type RecordSet } from './powerdns.ts'

/** DNSRecords of type `powerdns`: record sets of a PowerDNS server. */
export const definition = defineFunction({
  name: 'powerdns-dnsrecord',
  kind: 'DNSRecord',
  type: 'powerdns',
  classes: ['shoot', 'seed', 'garden'],
  create: () => ({
    reconcile: async step => {
      const { server, zone, wanted, found, isOwn, isEqual } = await readCloud(step)
      if (found !== undefined && !isOwn)
        throw new CodedError(
          `${wanted.type} ${wanted.name} has another owner. Delete it, or use another name.`,
          {
            codes: ['ERR_CONFIGURATION_PROBLEM'],
          },
        )
      if (!isEqual) {
        step.throwIfExpired() // right before each write
        await server.replace(zone, wanted)
        step.log.info('record set written', { zone, record: wanted.name })
      }
      return done({ zone })
    },
    remove: async step => {
      const { server, zone, wanted, isOwn } = await readCloud(step)
      if (isOwn) {
        step.throwIfExpired()
        await server.remove(zone, wanted)
      }
      return done()
    },
  }),
  planOf: async context => {
    const { wanted, found, isOwn, isEqual } = await readCloud(context)
    const kind = context.destroy ? 'delete' : found === undefined ? 'create' : 'update'
    const differs = context.destroy ? isOwn : !isEqual
    return { actions: differs ? [{ kind, sentence: `${kind} ${wanted.type} ${wanted.name}` }] : [] }
  },
})

const readCloud = async ({
  object,
  secret,
  signal,
}: Omit<PlanContext<DNSRecord>, 'kubernetes' | 'destroy'>) => {
  const { metadata, spec } = object
  const { name, recordType: type, ttl = 120 } = spec
  const values = spec.values.map(value => (type === 'TXT' ? JSON.stringify(value) : value)).toSorted()
  // The owner is the same after a migration to another seed.
  const owner = `${metadata.namespace}/${metadata.name}`
  const wanted: RecordSet = { name: `${name}.`, type, ttl: Number(ttl), values, owner }
  const server = powerDns(secret, signal)
  const zone = await server.zoneOf(wanted.name)
  const found = await server.find(zone, wanted)
  const isEqual = found?.ttl === wanted.ttl && `${found.values}` === `${values}`
  return { server, zone, wanted, found, isOwn: found?.owner === owner, isEqual }
}
