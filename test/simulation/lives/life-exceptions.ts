import { inEachRow, type WorldException, worldExceptions } from '../../../sandbox/simulation/oracle/oracle.ts'
import { ofOthers as markOfOthers } from '../../../sandbox/simulation/simulation.ts'
import type { LifePlan } from './plan-life.ts'

/** `at a success`: others may still be at work. */
export type Moment = 'at rest' | 'at a success'

/** The differences between the world of a life and one with new creations that are no faults. */
export const lifeExceptions = (plan: LifePlan, when: Moment): readonly WorldException[] => [
  ...worldExceptions,
  ofOthers,
  ofNeighbours,
  ofAccidents,
  ofChance,
  ofZones,
  ofFormerZones,
  ofPredecessors,
  ofIpv6,
  ...inputsOf(plan),
  ...(plan.hostility.stuck === 'natGatewayAvailable' ? [ofGateways] : []),
  ...(plan.hasOthers && when === 'at a success' ? [ofUsedEndpoints] : []),
]

const ofOthers: WorldException = {
  why: 'etcd stores backups in a bucket, and a user writes the fields of its rules in another order',
  rows: inEachRow(row => {
    if (!row.place.endsWith('s3 buckets')) return row
    const { lifecycle = '[]', ...value } = Object(row.value)
    const rules = JSON.parse(lifecycle).map((rule: object) => Object.entries(rule).sort())
    return { ...row, value: { ...value, objects: [], lifecycle: JSON.stringify(rules) } }
  }),
}

const ofNeighbours: WorldException = {
  why: 'other controllers have their own finalizers, annotations and conditions while they work',
  rows: inEachRow(row => ({
    ...row,
    value: JSON.parse(JSON.stringify(row.value), (name, field) => {
      if (name.startsWith(markOfOthers)) return undefined
      if (!Array.isArray(field)) return field
      const own = field.filter(one => !String(Object(one).type ?? one).startsWith(markOfOthers))
      return own.length === 0 && field.length > 0 ? undefined : own
    }),
  })),
}

const ofAccidents: WorldException = {
  why: 'the simulator keeps addresses that have left a NAT gateway',
  rows: inEachRow(row => {
    if (!row.place.endsWith(' natGateways')) return row
    const { addresses = [], ...value } = Object(row.value)
    const present = addresses.filter((address: object) => !('until' in address))
    return { ...row, value: { ...value, addresses: present } }
  }),
}

const ofFormerZones: WorldException = {
  why: 'the state remembers the names of a zone that left the config',
  rows: inEachRow(row => ({
    ...row,
    value: JSON.parse(JSON.stringify(row.value), (name, field) =>
      /^Zones\/[^/]+\/Suffix$/.test(name) ? undefined : field,
    ),
  })),
}

const ofZones: WorldException = {
  why: 'the zone of a record is no choice among several, once it has the record',
  rows: inEachRow(row => ({
    ...row,
    value: JSON.parse(JSON.stringify(row.value), (_, field) =>
      Array.isArray(field) ? field.filter(one => Object(one).type !== 'SeveralHostedZones') : field,
    ),
  })),
}

const ofChance: WorldException = {
  why: 'AWS chooses the address of a mount target, and a list may lack a neighbour that a condition names',
  rows: inEachRow(row => ({
    ...row,
    value: JSON.parse(JSON.stringify(row.value), (name, field) =>
      (name === 'ip' && row.place.endsWith(' mountTargets')) || Object(field).type === 'ResourcesLeftAlone'
        ? null
        : field,
    ),
  })),
}

const ofIpv6: WorldException = {
  why: 'AWS chooses the IPv6 block of a VPC',
  rows: inEachRow(row => ({
    ...row,
    value: JSON.parse(
      JSON.stringify(row.value).replace(
        /2a05:d8e5:[0-9a-f]+(?::([0-9a-f]+))?::/g,
        (_, fourth = '0') => `ipv6:${Number.parseInt(fourth, 16) % 256}::`,
      ),
    ),
  })),
}

const inputsOf = ({ events }: LifePlan): readonly WorldException[] =>
  events.some(event => event.kind === 'input' && event.input === 'another machine') ? [ofMachines] : []

const ofMachines: WorldException = {
  why: 'a Bastion keeps its machine when the CloudProfile gets another type',
  rows: inEachRow(row =>
    row.place.endsWith(' instances') ? { ...row, value: { ...Object(row.value), instanceType: null } } : row,
  ),
}

const ofGateways: WorldException = {
  why: 'the NAT gateways of a user are pending, so the nodes have no addresses yet',
  rows: inEachRow(row => ({
    ...row,
    value: JSON.parse(JSON.stringify(row.value), (name, field) =>
      /^egressCIDRs$/i.test(name) ? undefined : field,
    ),
  })),
}

const ofUsedEndpoints: WorldException = {
  why: 'an endpoint that leaves the config stays as long as a route table of a user uses it',
  rows: rows =>
    inEachRow(row => ({
      ...row,
      value: JSON.parse(JSON.stringify(row.value), (name, field) =>
        name.startsWith('VPCEndpoints/') ? undefined : field,
      ),
    }))(rows.filter(({ place }) => !place.endsWith(' vpcEndpoints'))),
}

const createdFor = 'trellis.gardener.cloud/created-for'

const ofPredecessors: WorldException = {
  why: 'a mark names the object that created a resource, and its successor may use the resource',
  rows: inEachRow(row => ({
    ...row,
    value: JSON.parse(JSON.stringify(row.value), (_, field) =>
      Object(field).Key === createdFor ? { Key: createdFor } : field,
    ),
  })),
}
