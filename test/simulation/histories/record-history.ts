import { type AwsSide, createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { shootObjects } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { type History, type HistoryOptions, history, mustHold } from './history.ts'
import { type Life, minute, type OwnObject } from './life.ts'
import { servicesOf } from './services-of.ts'

export const namespace = 'shoot--garden--rose'
const name = 'api.rose.example.com'
export const credentials = {
  accessKeyID: 'AKIAEXAMPLEROSE00001',
  secretAccessKey: 'not-a-real-key'.padEnd(40, '0'),
}

export const record = (spec: object = {}, more: Partial<OwnObject> = {}): OwnObject => ({
  kind: 'DNSRecord',
  key: { name: 'rose', namespace },
  spec: {
    type: 'aws-route53',
    secretRef: { name: 'dns', namespace },
    name,
    recordType: 'A',
    values: ['203.0.113.1'],
    ttl: 120,
    ...spec,
  },
  ...more,
})

export const of = /aws-dnsrecord/
export const change = /^POST route53/
export const claims = /^PATCH .*\/dnsrecords\/rose$/
export const resource = kinds.DNSRecord.resource
export const { key } = record()

export const recordHistory = (
  title: string,
  course: (life: Life<AwsSide>) => Promise<void>,
  points?: HistoryOptions<AwsSide>['points'],
): History =>
  history({
    name: `aws-dnsrecord: ${title}`,
    functions: ['aws-dnsrecord'],
    kinds: ['DNSRecord'],
    ...(points && { points }),
    cloud: createAwsSide,
    ofSeeds: { objects: shootObjects({ namespace, secrets: { dns: credentials } }) },
    course,
  })

interface Zone {
  readonly name: string
  readonly recordSets: readonly {
    readonly Name: string
    readonly Type: string
    readonly ResourceRecords?: readonly { readonly Value: string }[]
  }[]
}

/** The values of the record sets of a name, as `A 203.0.113.1`. */
export const recordsOf = (life: Life<AwsSide>, of = name): readonly string[] => {
  const { route53 } = servicesOf(life.world.cloud) as {
    readonly route53: { readonly zones: readonly Zone[] }
  }
  return route53.zones.flatMap(zone =>
    zone.recordSets
      .filter(set => set.Name === `${of}.`)
      .map(({ Type, ResourceRecords = [] }) =>
        [zone.name, Type, ...ResourceRecords.map(({ Value }) => Value)].join(' '),
      ),
  )
}

export const freeze = (life: Life) => (process: string) =>
  life.seed
    .instances()
    .find(one => one.process.name === process)
    ?.process.freeze(10 * minute)

export const leaksNothing = (life: Life<AwsSide>): void =>
  mustHold(recordsOf(life).length === 0, `the record is leaked: ${recordsOf(life).join(', ')}`)

export const hasValue = (life: Life<AwsSide>, value: string): void =>
  mustHold(
    recordsOf(life).join() === `example.com. A ${value}`,
    `expected the value ${value}, found ${recordsOf(life).join(', ') || 'no record'}`,
  )
