import { parseCidr } from '../../../../../terraform-free-infra/cloud/cidr.ts'
import type { KindContext } from '../core/context.ts'
import { fixedOrNull, number, text } from '../core/field-types.ts'
import type { SecurityGroupItem, SecurityGroupRuleItem } from '../core/items.ts'
import { type ItemFields, isOwned, type ResourceKind, related } from '../core/kind.ts'
import { neutronRefusal, type ServiceRefusal } from '../core/refusal.ts'
import { noGroup, noRule, standardFields } from './refusals.ts'
import { tagActionsOf } from './tags.ts'

export const securityGroups: ResourceKind<'securityGroup'> = {
  kind: 'securityGroup',
  service: 'network',
  collection: 'security-groups',
  member: 'security_group',
  list: 'security_groups',
  quota: 'security_group',
  fields: { name: text(''), description: text('') },
  filters: ['shared', 'stateful'],
  missing: noGroup,
  listed: context => ensureDefaultGroup(context.holder.projectId, context),
  build: (fields, context) => {
    if (fields.name === 'default' && !context.holder.isOperator)
      throw neutronRefusal(409, 'SecurityGroupDefaultAlreadyExists', 'Default security group already exists.')
    return { stateful: true, shared: false, ...standardFields(context) }
  },
  // Every new group lets everything out.
  created: (group, context) => {
    for (const ethertype of ['IPv4', 'IPv6'])
      putRule({ security_group_id: group.id, direction: 'egress', ethertype }, group.project_id, context)
  },
  view: (group, { store }) => ({
    ...group,
    tenant_id: group.project_id,
    security_group_rules: store
      .all('securityGroupRule')
      .filter(rule => rule.security_group_id === group.id)
      .map(viewRule),
  }),
  checkDeletion: ({ name }) => {
    if (name === 'default')
      throw neutronRefusal(
        409,
        'SecurityGroupCannotRemoveDefault',
        'Insufficient rights for removing default security group.',
      )
  },
  blockedBy: [
    {
      ...related<'port', 'securityGroup'>('port', (port, { id }) => port.security_groups.includes(id)),
      refusal: ({ id }) => neutronRefusal(409, 'SecurityGroupInUse', `Security Group ${id} in use.`),
    },
  ],
  owns: [
    related<'securityGroupRule', 'securityGroup'>(
      'securityGroupRule',
      (rule, { id }) => rule.security_group_id === id || rule.remote_group_id === id,
    ),
  ],
  actions: tagActionsOf('securityGroup'),
}

const viewRule = (rule: SecurityGroupRuleItem): ItemFields => ({
  ...rule,
  tenant_id: rule.project_id,
  normalized_cidr: rule.remote_ip_prefix,
})

/** Rules have no tags. */
const ruleFields = (context: KindContext) => {
  const { tags: _, ...fields } = standardFields(context)
  return fields
}

/** The group of a project that ports without groups get. */
export const defaultGroupOf = (project: string, { store }: KindContext): SecurityGroupItem | undefined =>
  store.all('securityGroup').find(group => group.project_id === project && group.name === 'default')

/** Creates the default group of a project, as Neutron does before its first use. */
export const ensureDefaultGroup = (project: string, context: KindContext): void => {
  if (project === '' || defaultGroupOf(project, context) !== undefined) return
  const id = context.newId()
  context.store.put('securityGroup', {
    id,
    project_id: project,
    name: 'default',
    description: 'Default security group',
    stateful: true,
    shared: false,
    ...standardFields(context),
  })
  for (const ethertype of ['IPv4', 'IPv6']) {
    putRule({ security_group_id: id, direction: 'egress', ethertype }, project, context)
    putRule({ security_group_id: id, direction: 'ingress', ethertype, remote_group_id: id }, project, context)
  }
}

/** A rule of Neutron itself has no description. */
const putRule = (
  fields: Pick<SecurityGroupRuleItem, 'security_group_id' | 'direction' | 'ethertype'> &
    Partial<SecurityGroupRuleItem>,
  project: string,
  context: KindContext,
): void =>
  context.store.put('securityGroupRule', {
    id: context.newId(),
    project_id: project,
    protocol: null,
    port_range_min: null,
    port_range_max: null,
    remote_ip_prefix: null,
    remote_group_id: null,
    remote_address_group_id: null,
    belongs_to_default_sg: false,
    description: null,
    ...ruleFields(context),
    ...fields,
  })

export const securityGroupRules: ResourceKind<'securityGroupRule'> = {
  kind: 'securityGroupRule',
  service: 'network',
  collection: 'security-group-rules',
  member: 'security_group_rule',
  list: 'security_group_rules',
  quota: 'security_group_rule',
  updateMethods: [],
  fields: {
    security_group_id: text(undefined, { required: true }),
    direction: text(undefined, { required: true }),
    ethertype: text('IPv4'),
    protocol: text(null, fixedOrNull),
    port_range_min: number(null, fixedOrNull),
    port_range_max: number(null, fixedOrNull),
    remote_ip_prefix: text(null, fixedOrNull),
    remote_group_id: text(null, fixedOrNull),
    remote_address_group_id: text(null, fixedOrNull),
    description: text(''),
  },
  missing: noRule,
  checkAll: (all, context) => {
    const groups = new Set(all.map(rule => rule.security_group_id))
    if (groups.size > 1)
      throw neutronRefusal(
        400,
        'SecurityGroupNotSingleGroupRules',
        'Only allowed to update rules for one security profile at a time',
      )
    for (const rule of all) checkRule(rule, context)
    const keys = all.map(ruleKey)
    if (new Set(keys).size < keys.length)
      throw neutronRefusal(409, 'DuplicateSecurityGroupRuleInPost', 'Duplicate Security Group Rule in POST.')
    const same = context.store.all('securityGroupRule').find(rule => keys.includes(ruleKey(rule)))
    if (same !== undefined)
      throw neutronRefusal(
        409,
        'SecurityGroupRuleExists',
        `Security group rule already exists. Rule id is ${same.id}.`,
      )
  },
  build: ({ remote_ip_prefix: prefix, protocol }, context) => ({
    belongs_to_default_sg: false,
    remote_ip_prefix: typeof prefix === 'string' && !prefix.includes('/') ? withLength(prefix) : prefix,
    protocol: typeof protocol === 'string' ? protocol.toLowerCase() : protocol,
    ...ruleFields(context),
  }),
  view: viewRule,
}

const withLength = (address: string): string => `${address}/${address.includes(':') ? 128 : 32}`

/** Rules with the same key are the same for Neutron. */
const ruleKey = (rule: ItemFields): string => {
  const prefix = rule.remote_ip_prefix
  return JSON.stringify([
    rule.security_group_id,
    rule.direction,
    rule.ethertype,
    typeof rule.protocol === 'string' ? rule.protocol.toLowerCase() : null,
    rule.port_range_min,
    rule.port_range_max,
    rule.remote_group_id,
    // All addresses are the same as no prefix.
    typeof prefix !== 'string' || prefix === '0.0.0.0/0' || prefix === '::/0'
      ? null
      : prefix.includes('/')
        ? prefix
        : withLength(prefix),
  ])
}

const refused = (type: string, message: string): ServiceRefusal => neutronRefusal(400, type, message)

const checkRule = (rule: ItemFields, context: KindContext): void => {
  const { store, holder } = context
  const groupAt = (id: unknown): void => {
    const group = store.get('securityGroup', String(id))
    if (group === undefined || !isOwned(group, holder)) throw noGroup(String(id))
  }
  const { protocol, port_range_min: min, port_range_max: max, remote_ip_prefix: prefix, ethertype } = rule
  if (rule.direction !== 'ingress' && rule.direction !== 'egress')
    throw refused(
      'HTTPBadRequest',
      `Invalid input for direction. Reason: '${rule.direction}' is not in ['ingress', 'egress'].`,
    )
  if (min !== null || max !== null) {
    if (protocol === null)
      throw refused(
        'SecurityGroupProtocolRequiredWithPorts',
        'Must also specify protocol if port range is given.',
      )
    const isOrdered = typeof min === 'number' && typeof max === 'number' && min <= max
    if (/^(?:tcp|udp|6|17)$/i.test(String(protocol)) && !isOrdered)
      throw refused(
        'SecurityGroupInvalidPortRange',
        'For TCP/UDP protocols, port_range_min must be <= port_range_max',
      )
  }
  if (typeof prefix === 'string') {
    const range = parseCidr(prefix.includes('/') ? prefix : withLength(prefix))
    if (range === undefined)
      throw refused(
        'HTTPBadRequest',
        `Invalid input for remote_ip_prefix. Reason: '${prefix}' is not a valid IP subnet.`,
      )
    if (ethertype !== `IPv${range.family}`)
      throw refused(
        'SecurityGroupRuleParameterConflict',
        `Conflicting value ethertype ${ethertype} for CIDR ${prefix}`,
      )
  }
  if (
    [prefix, rule.remote_group_id, rule.remote_address_group_id].filter(remote => remote !== null).length > 1
  )
    throw refused(
      'SecurityGroupMultipleRemoteEntites',
      'Only one of remote_ip_prefix or remote_group_id or remote_address_group_id may be provided.',
    )
  groupAt(rule.security_group_id)
  if (rule.remote_group_id !== null) groupAt(rule.remote_group_id)
}
