import * as z from 'zod'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import { errorKindOf, type OpenStackAccess } from '../../account/openstack.ts'
import { inUse } from '../deletion/blockers.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import {
  deleteNeutron,
  listNeutron,
  portSchema,
  type SecurityGroup,
  type SecurityGroupRule,
  securityGroupSchema,
  writeNeutron,
} from '../neutron.ts'
import { markOf, owned } from '../ownership.ts'
import type { InfrastructureReads } from '../reads.ts'

/** The security group of the nodes. */
export interface GroupOutcome {
  readonly id: string
  readonly name: string
}
/** By the text of a rule: true. */
type RuleAttributes = Readonly<Record<string, true>>

interface DesiredRule {
  readonly direction: 'ingress' | 'egress'
  readonly ethertype: 'IPv4' | 'IPv6'
  readonly protocol?: 'tcp' | 'udp'
  readonly remote?: 'group'
}

const ruleText = (rule: SecurityGroupRule, group: string): string => {
  const { direction, ethertype, protocol, port_range_min: first, port_range_max: last } = rule
  const { remote_ip_prefix: prefix, remote_group_id: other, remote_address_group_id: addresses } = rule
  const ports = first === null || first === undefined ? 'all ports' : `ports ${first}-${last}`
  const remote = addresses
    ? `addresses ${addresses}`
    : other === group
      ? 'the group'
      : (other ?? prefix ?? 'all')
  return `rule ${direction} ${ethertype} ${protocol ?? 'any'} ${ports} ${remote}`
}

const nodePorts = { port_range_min: 30_000, port_range_max: 32_767 } as const

/** Returns the body of a rule, without its group. */
const bodyOf = ({ direction, ethertype, protocol, remote }: DesiredRule, group: string) => ({
  direction,
  ethertype,
  ...(remote === 'group' && { remote_group_id: group }),
  ...(protocol && {
    protocol,
    ...nodePorts,
    remote_ip_prefix: ethertype === 'IPv4' ? '0.0.0.0/0' : '::/0',
  }),
})

/** As the Go extension describes its rules. */
const descriptionOf = ({ direction, ethertype, protocol, remote }: DesiredRule): string => {
  if (direction === 'egress') return `${ethertype}: allow all outgoing traffic`
  return remote === 'group'
    ? `${ethertype}: allow all incoming traffic within the same security group`
    : `${ethertype}: allow all incoming ${protocol} traffic with port range 30000-32767`
}

const rulesOf = ({ dualStack }: DesiredInfrastructure): readonly DesiredRule[] => {
  const ingress = (ethertype: DesiredRule['ethertype']): readonly DesiredRule[] => [
    { direction: 'ingress', ethertype, remote: 'group' },
    { direction: 'ingress', ethertype, protocol: 'tcp' },
    { direction: 'ingress', ethertype, protocol: 'udp' },
  ]
  return [
    ...ingress('IPv4'),
    { direction: 'egress', ethertype: 'IPv4' },
    { direction: 'egress', ethertype: 'IPv6' },
    ...(dualStack ? ingress('IPv6') : []),
  ]
}

/** The id in the texts of rules that are not created yet. */
const self = 'self'

/** Returns the desired rules by their texts. Neutron's own egress rules of a new group are two of them. */
export const ruleAttributes = (desired: DesiredInfrastructure): RuleAttributes =>
  Object.fromEntries(rulesOf(desired).map(rule => [ruleText(bodyOf(rule, self), self), true] as const))

const found = (
  { id, name, security_group_rules }: SecurityGroup,
  key: string,
): Found<RuleAttributes, GroupOutcome> => ({
  id,
  key,
  status: 'ready',
  attributes: Object.fromEntries(security_group_rules.map(rule => [ruleText(rule, id), true] as const)),
  outcome: { id, name },
  uses: [],
})

/** The security group of the nodes. Missing rules are added; rules of others remain. */
export const securityGroupType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, RuleAttributes, GroupOutcome> => {
  const { name } = desired
  return {
    what: 'security group',
    doubles: true,
    list: async ({ read, state }) =>
      owned(await read(reads.securityGroups), {
        what: 'security group',
        desired,
        state,
        stateKey: 'SecurityGroup',
        name,
      }).map(({ item, ours }) => ({ ...found(item, name), ...(ours && { ours }) })),
    create: async ({ cloud, signal }) =>
      found(
        await writeNeutron(cloud, 'POST', {
          path: ['security-groups'],
          member: 'security_group',
          item: securityGroupSchema,
          body: { name, description: `Cluster Nodes ${markOf(desired)}` },
          doing: `creating security group ${name}`,
          signal,
        }),
        name,
      ),
    update: async ({ cloud, signal, found: { id }, changes }) => {
      const missing = new Set(changes.map(({ attribute }) => attribute))
      const rules = rulesOf(desired).filter(rule => missing.has(ruleText(bodyOf(rule, self), self)))
      await cloud.call({
        service: 'network',
        method: 'POST',
        path: ['security-group-rules'],
        body: {
          security_group_rules: rules.map(rule => ({
            ...bodyOf(rule, id),
            security_group_id: id,
            description: descriptionOf(rule),
          })),
        },
        answer: z.object({ security_group_rules: z.array(z.object({ id: z.string() })) }),
        doing: `adding rules to security group ${name}`,
        signal,
      })
      return undefined
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      try {
        return await deleteNeutron(cloud, ['security-groups', id], signal)
      } catch (error) {
        if (errorKindOf(error) !== 'busy') throw error
        const query = { security_groups: id }
        const ports = await listNeutron(cloud, { path: 'ports', item: portSchema, query, signal })
        throw ports.length === 0 ? error : inUse(`cannot delete security group ${name} (${id})`, ports, error)
      }
    },
  }
}
