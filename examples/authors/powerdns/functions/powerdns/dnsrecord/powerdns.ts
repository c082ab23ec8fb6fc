import { CodedError, type Secret } from '@trellis-gardener/trellis'

export interface RecordSet {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly values: readonly string[]
  /** In the comment of the record set. Absent: another client created it. */
  readonly owner?: string
}

interface StoredSet extends Pick<RecordSet, 'name' | 'type' | 'ttl'> {
  readonly records: readonly { readonly content: string }[]
  readonly comments: readonly { readonly account: string; readonly content: string }[]
}

const wrongInput = (message: string) => new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })

/** The calls of PowerDNS (https://doc.powerdns.com/authoritative/http-api) that a record needs. */
export const powerDns = (secret: Secret | undefined, signal: AbortSignal) => {
  const { server, apiKey } = secret?.data ?? {}
  if (server === undefined || apiKey === undefined)
    throw wrongInput('the Secret needs the keys server and apiKey')
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'X-API-Key': apiKey, 'content-type': 'application/json' }
    const sent = { method, signal, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${server}/api/v1/servers/localhost/zones${path}`, sent)
    const text = await response.text()
    if (response.status === 401)
      throw new CodedError('PowerDNS refuses the API key', { codes: ['ERR_INFRA_UNAUTHENTICATED'] })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text || '{}')
  }
  return {
    /** Returns the zone with the longest name that the record's name ends with. */
    zoneOf: async (name: string): Promise<string> => {
      const zones = await call<{ readonly id: string; readonly name: string }[]>('GET', '')
      const suitable = zones.filter(zone => `.${name}`.endsWith(`.${zone.name}`))
      const [best] = suitable.toSorted((one, other) => other.name.length - one.name.length)
      if (best === undefined) throw wrongInput(`PowerDNS has no zone for ${name}`)
      return best.id
    },
    find: async (zone: string, { name, type }: RecordSet): Promise<RecordSet | undefined> => {
      const { rrsets } = await call<{ readonly rrsets: readonly StoredSet[] }>('GET', `/${zone}`)
      const found = rrsets.find(set => set.name === name && set.type === type)
      if (found === undefined) return undefined
      const owner = found.comments.find(({ account }) => account === 'trellis')?.content
      const values = found.records.map(({ content }) => content).toSorted()
      return { name, type, ttl: found.ttl, values, ...(owner !== undefined && { owner }) }
    },
    replace: (zone: string, { values, owner, ...set }: RecordSet) => {
      const records = values.map(content => ({ content, disabled: false }))
      const comments = [{ account: 'trellis', content: owner }]
      return call('PATCH', `/${zone}`, { rrsets: [{ ...set, changetype: 'REPLACE', records, comments }] })
    },
    remove: (zone: string, { name, type }: RecordSet) =>
      call('PATCH', `/${zone}`, { rrsets: [{ name, type, changetype: 'DELETE' }] }),
  }
}
