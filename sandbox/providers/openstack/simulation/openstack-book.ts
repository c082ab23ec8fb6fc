import { parsedJson, recordOf, stringOf, valueAt } from '../../../../shared/decode/record-of.ts'
import {
  type Invariants,
  type KnownObject,
  type ObjectName,
  objectName,
} from '../../../simulation/invariants/invariants.ts'
import { type CloudObserver, runningCode } from '../../../simulation/simulation.ts'
import { type ObservedRequest, placeOfUrl, type SimulatedOpenStack } from '../simulator/openstack.ts'
import { checkRest } from './check-rest.ts'
import { isWriteCall } from './connect-rest.ts'
import { type OpenStackRow, openstackRows } from './openstack-contents.ts'

/** The creator of a resource: an object, or others. */
export type Creator = ObjectName | 'others'

/** A resource that is gone, or changed. */
interface ChangedRow {
  readonly creator: Creator
  readonly was: OpenStackRow
  readonly is: OpenStackRow | undefined
}

/** The creators of resources, by the effects of calls: independent of names, marks and states. */
export interface OpenStackBook {
  /** Observes a request while OpenStack handles it. */
  around<T>(request: ObservedRequest, handle: () => T): T
  observe(invariants: Invariants): CloudObserver
  backUp(): ReadonlyMap<string, Creator>
  restore(creators: ReadonlyMap<string, Creator>): void
}

/** Fields that OpenStack changes itself. */
const own = /^(?:_.*|status|action|serial|version|updated_at|revision_number|provisioning_status)$/

const keyOf = ({ kind, item }: OpenStackRow): string => `${kind} ${item.id}`
const textOf = ({ kind, item }: OpenStackRow): string => `${kind} ${item.name || ''} ${item.id}`
const contentOf = ({ item }: OpenStackRow): string =>
  JSON.stringify(Object.entries(item).filter(([name]) => !own.test(name)))

/** @param openstack returns the cloud, which is created with the book */
export const createOpenStackBook = (openstack: () => SimulatedOpenStack): OpenStackBook => {
  let creators = new Map<string, Creator>()
  let rows: ReadonlyMap<string, OpenStackRow> = new Map()
  const users = new Map<string, string>()
  let invariants: Invariants | undefined

  /** Enters new resources, and returns the others that differ from the last time. */
  const enter = (creator: Creator): readonly ChangedRow[] => {
    const now = new Map(openstackRows(openstack()).map(row => [keyOf(row), row]))
    const changed = [...rows].flatMap(([key, was]) => {
      const is = now.get(key)
      return is?.item === was.item ? [] : [{ was, is, creator: creators.get(key) ?? 'others' }]
    })
    for (const key of rows.keys()) if (!now.has(key)) creators.delete(key)
    for (const [key, row] of now) if (!creators.has(key)) creators.set(key, creatorOf(row, creator))
    rows = now
    return changed
  }
  /** A port belongs to the creator of its server or router, also if it appears during a call of another object. */
  const creatorOf = ({ kind, item }: OpenStackRow, creator: Creator): Creator =>
    (kind === 'port' && item.device_owner !== 'network:router_interface'
      ? (creators.get(`server ${item.device_id}`) ?? creators.get(`router ${item.device_id}`))
      : undefined) ?? creator

  const checkUser = (
    { problems, objects }: Invariants,
    name: ObjectName,
    user: string,
    call: string,
  ): void => {
    const object = objects.get(name)
    const keys = object === undefined ? undefined : objects.accessKeys(object)
    if (keys !== undefined && keys.size > 0 && !keys.has(user))
      problems.add('credentials never cross accounts', `${call} of ${name} has the user ${user}`)
  }

  return {
    around: (request, handle) => {
      const { url, method, body, headers } = request
      const { service, path } = placeOfUrl(url)
      if (invariants === undefined) return handle()
      if (service === 'identity') {
        const answer = handle()
        const user = valueAt(parsedJson(body), 'auth', 'identity', 'password', 'user')
        const token = recordOf(recordOf(answer).headers)['x-subject-token']
        if (typeof token === 'string') users.set(token, stringOf(recordOf(user).name))
        return answer
      }
      const step = runningCode.getStore()?.step
      if (step !== undefined)
        checkUser(
          invariants,
          objectName(step),
          users.get(headers['x-auth-token'] ?? '') ?? '',
          `${method} ${service}`,
        )
      if (!isWriteCall({ method, url })) return handle()
      // People and OpenStack itself have acted since the last call.
      enter('others')
      const answer = handle()
      const name = step === undefined ? 'others' : objectName(step)
      const changed = enter(name)
      const object = invariants.objects.get(name)
      if (object === undefined) return answer
      for (const { was, is, creator } of changed) {
        if (creator === name || mayTouch(was, object) || (is && contentOf(was) === contentOf(is))) continue
        const { kind, item } = was
        // A deletion empties what it deletes.
        if (kind === 'securityGroupRule' && !rows.has(`securityGroup ${item.security_group_id}`)) continue
        invariants.problems.add(
          'nothing of others is touched',
          `${method} ${service} ${path} of ${name} ${is ? 'changed' : 'removed'} ${textOf(was)} of ${creator}`,
        )
      }
      return answer
    },
    observe: observing => {
      invariants = observing
      enter('others')
      return {
        checkRest: () => {
          enter('others')
          checkRest(observing, name =>
            [...rows].flatMap(([key, row]) => (creators.get(key) === name ? [row] : [])),
          )
        },
      }
    },
    backUp: () => new Map(creators),
    restore: before => {
      creators = new Map(before)
      rows = new Map()
      enter('others')
    },
  }
}

/**
 * Returns true for what an object may remove although others have created it: load balancers of the controllers in its
 * shoot, and the backups that etcd has stored for it.
 */
const mayTouch = ({ kind: of, item }: OpenStackRow, { kind, name, namespace }: KnownObject): boolean => {
  switch (of) {
    case 'loadBalancer':
      return kind === 'Infrastructure' && String(item.name).startsWith(`kube_service_${namespace}_`)
    case 'port':
      return kind === 'Infrastructure' && item.device_owner === 'Octavia'
    case 'object':
      return kind === 'BackupBucket'
        ? item.container === name
        : kind === 'BackupEntry' && String(item.name).startsWith(`${name.replace(/^source-/, '')}/`)
    default:
      return false
  }
}
