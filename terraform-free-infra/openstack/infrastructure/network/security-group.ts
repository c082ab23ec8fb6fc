import * as z from 'zod'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import { errorKindOf, type OpenStackAccess } from '../../account/openstack.ts'
import { create, type Item, kinds, listOf, removing } from '../calls.ts'
import { inUse } from '../deletion/blockers.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { identityOf, markOf, owned } from '../ownership.ts'
import type { InfrastructureReads } from '../reads.ts'
import type { NetworkOutcome } from './network.ts'

/** By the text of a rule: true. */
type RuleAttributes = Readonly<Record<string, true>>
type Rule = Item<'group'>['security_group_rules'][number]

/** The group in the texts of rules, so that they are known before it is created. */
const self = 'the group'

const ruleText = (rule: Rule, group: string): string => {
  const { direction, ethertype, protocol, port_range_min: first, port_range_max: last } = rule
  const { remote_ip_prefix: prefix, remote_group_id: other, remote_address_group_id: addresses } = rule
  const ports = first === null || first === undefined ? 'all ports' : `ports ${first}-${last}`
  const remote = addresses || (other === group ? self : (other ?? prefix ?? 'all'))
  return `rule ${direction} ${ethertype} ${protocol ?? 'any'} ${ports} ${remote}`
}

/** Returns the desired rules with the descriptions of the Go extension. Neutron's egress rules are two of them. */
const rulesOf = ({ dualStack }: DesiredInfrastructure) => {
  const nodePorts = { port_range_min: 30_000, port_range_max: 32_767 }
  const ingress = (ethertype: string, prefix: string) => [
    {
      direction: 'ingress',
      ethertype,
      remote_group_id: self,
      description: `${ethertype}: allow all incoming traffic within the same security group`,
    },
    ...['tcp', 'udp'].map(protocol => ({
      direction: 'ingress',
      ethertype,
      protocol,
      ...nodePorts,
      remote_ip_prefix: prefix,
      description: `${ethertype}: allow all incoming ${protocol} traffic with port range 30000-32767`,
    })),
  ]
  const egress = ['IPv4', 'IPv6'].map(ethertype => ({
    direction: 'egress',
    ethertype,
    description: `${ethertype}: allow all outgoing traffic`,
  }))
  return [...ingress('IPv4', '0.0.0.0/0'), ...egress, ...(dualStack ? ingress('IPv6', '::/0') : [])]
}

export const ruleAttributes = (desired: DesiredInfrastructure): RuleAttributes =>
  Object.fromEntries(rulesOf(desired).map(rule => [ruleText(rule, self), true] as const))

const found = (group: Item<'group'>, key: string): Found<RuleAttributes, NetworkOutcome> => ({
  ...identityOf(group, key),
  status: 'ready',
  attributes: Object.fromEntries(
    group.security_group_rules.map(rule => [ruleText(rule, group.id), true] as const),
  ),
  outcome: { id: group.id, name: group.name },
  uses: [],
})

/** The security group of the nodes. Missing rules are added; rules of others remain. */
export const securityGroupType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, RuleAttributes, NetworkOutcome> => {
  const { name } = desired
  const what = kinds.group.noun
  return {
    what,
    doubles: true,
    list: async ({ read, state }) => {
      const groups = owned(await read(reads.groups), { what, desired, state, stateKey: 'SecurityGroup' })
      return groups.map(group => found(group, name))
    },
    create: async ({ cloud, signal }) => {
      const body = { name, description: `Cluster Nodes ${markOf(desired)}` }
      return found(await create(cloud, kinds.group, body, signal), name)
    },
    update: async ({ cloud, signal, found: { id }, changes }) => {
      const missing = new Set(changes.map(({ attribute }) => attribute))
      const rules = rulesOf(desired)
        .filter(rule => missing.has(ruleText(rule, self)))
        .map(rule => ({
          ...rule,
          ...('remote_group_id' in rule && { remote_group_id: id }),
          security_group_id: id,
        }))
      await cloud.call({
        service: 'network',
        method: 'POST',
        path: ['security-group-rules'],
        body: { security_group_rules: rules },
        answer: z.object({ security_group_rules: z.array(z.object({ id: z.string() })) }),
        doing: `adding rules to security group ${name}`,
        signal,
      })
      return undefined
    },
    remove: async call => {
      const { cloud, signal, found } = call
      try {
        return await removing(kinds.group)(call)
      } catch (error) {
        if (errorKindOf(error) !== 'busy') throw error
        const ports = await listOf(cloud, kinds.port, { security_groups: found.id }, signal)
        throw ports.length === 0 ? error : inUse(`cannot delete ${what} ${name} (${found.id})`, ports, error)
      }
    },
  }
}
