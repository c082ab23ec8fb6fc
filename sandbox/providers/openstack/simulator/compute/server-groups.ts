import { isRecord } from '../../../../../shared/decode/record-of.ts'
import { dialects } from '../core/dialects.ts'
import type { ResourceKind } from '../core/kind.ts'
import { novaRefusal } from '../core/refusal.ts'

const policies = ['anti-affinity', 'affinity', 'soft-anti-affinity', 'soft-affinity']

/** `nova/api/openstack/compute/server_groups.py`: one policy from 2.64, a list of one before. */
export const serverGroups: ResourceKind<'serverGroup'> = {
  kind: 'serverGroup',
  service: 'compute',
  collection: 'os-server-groups',
  member: 'server_group',
  list: 'server_groups',
  quota: 'server_groups',
  statuses: { created: 200 },
  updateMethods: [],
  fields: {},
  missing: id => novaRefusal(404, `Instance group ${id} could not be found.`),
  read: ({ server_group: group }, { microversion, holder }) => {
    if (!isRecord(group)) throw dialects.compute.withoutMember('server_group')
    const isNew = microversion >= 64
    const { name, policy, policies: several, rules, ...others } = group
    const unknown = [
      ...Object.keys(others),
      ...(isNew && several !== undefined ? ['policies'] : []),
      ...(!isNew && policy !== undefined ? ['policy'] : []),
    ]
    if (unknown.length > 0) throw dialects.compute.unknownFields(unknown)
    if (typeof name !== 'string' || name === '') throw dialects.compute.required('name')
    const asked = isNew ? policy : Array.isArray(several) ? several[0] : several
    if (asked === undefined) throw dialects.compute.required(isNew ? 'policy' : 'policies')
    const allowed = microversion >= 15 ? policies : policies.slice(0, 2)
    if (!allowed.includes(String(asked)))
      throw novaRefusal(
        400,
        `Invalid input for field/attribute ${isNew ? 'policy' : 0}. Value: ${asked}. '${asked}' is not one of [${allowed.map(one => `'${one}'`).join(', ')}]`,
      )
    if (isRecord(rules) && Object.keys(rules).length > 0 && asked !== 'anti-affinity')
      throw novaRefusal(400, 'Only anti-affinity policy supports rules.')
    return { name, policy: asked, rules: isRecord(rules) ? rules : {}, user_id: holder.userId }
  },
  view: ({ id, name, policy, rules, project_id, user_id }, { microversion, store }) => ({
    id,
    name,
    ...(microversion >= 64 ? { policy, rules } : { policies: [policy], metadata: {} }),
    members: store
      .all('server')
      .filter(server => server._group === id)
      .map(server => server.id),
    ...(microversion >= 13 && { project_id, user_id }),
  }),
}
