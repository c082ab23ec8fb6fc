import { dnsRecordActuator } from '../../../functions/local/dnsrecord/actuator.ts'
import { definition } from '../../../functions/local/dnsrecord/function.ts'
import {
  createNameServerClient,
  type DesiredRecords,
  type NameServerClient,
  overNetwork,
  parseNameServerAddress,
  type RecordKey,
} from '../../../functions/local/dnsrecord/name-server/name-server.ts'
import { dnsRecordSettings } from '../../../functions/local/dnsrecord/settings.ts'
import type { LocalConnection } from '../../../functions/local/provider/local.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { objectChanges } from '../../../shared/resources/resources.ts'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import { planStep } from '../../plan-texts/plan-step.ts'
import { stepPlan } from '../../plan-texts/step-plan.ts'
import type { ObjectPlan, PlanSurroundings } from '../provider.ts'

/**
 * Returns the changes that the step of a DNSRecord would make at the name server. The step runs against one that does
 * not forward updates. Rejects if the name server cannot be queried.
 */
export const planRecord = async (
  object: KubernetesObject,
  { secret: _, connection, env, ...surroundings }: PlanSurroundings,
): Promise<ObjectPlan> => {
  const { clock, signal, destroy } = surroundings
  const { nameServer: address, zone } = parseSettings(dnsRecordSettings, { flags: {}, env })
  const place = parseNameServerAddress(address)
  // From `connect` or `simulate`.
  const transport = (connection as LocalConnection).nameServer ?? (place && overNetwork(place))
  if (transport === undefined) throw new TypeError(`invalid address of a name server: ${address}`)
  const server = createNameServerClient({ transport, zone, clock })
  const noted = notedNameServer(server)
  const plan = await planStep(definition, {
    ...surroundings,
    secret: undefined,
    object,
    // The object has been validated as its kind (`Provider`).
    actuator: dnsRecordActuator({ nameServer: noted.client, zone }) as unknown as Actuator,
    isNotedOutside: true,
  })
  const shown = { secret: undefined, unknownNames: new Map(), unknownCertificates: new Set<string>() }
  const actions = await Promise.all(
    noted.updates().map(async ({ key, desired }) => {
      // Unknown records are shown as absent.
      const before = (await server.read(key, signal)) ?? []
      return objectChanges(
        recordsOf(
          key,
          before.map(({ value }) => value),
          before[0]?.ttl,
        ),
        recordsOf(key, desired?.values ?? [], desired?.ttl),
        shown,
      )
    }),
  )
  return stepPlan({ ...plan, actions: [...actions.flat(), ...plan.actions] }, destroy)
}

interface Update {
  readonly key: RecordKey
  /** Undefined if no records are desired. */
  readonly desired: DesiredRecords | undefined
}

/** Returns noted updates, and otherwise the records of the real server. Writes nothing there. */
const notedNameServer = (server: Pick<NameServerClient, 'read'>) => {
  const updates = new Map<string, Update>()
  const client: NameServerClient = {
    read: async (key, signal) => {
      const update = updates.get(formatRecord(key))
      if (update === undefined) return server.read(key, signal)
      const { values = [], ttl = 0 } = update.desired ?? {}
      return values.map(value => ({ name: key.name, type: key.type, ttl, value }))
    },
    write: async ({ name, type }, desired) => {
      updates.set(formatRecord({ name, type }), { key: { name, type }, desired })
    },
  }
  return { client, updates: () => [...updates.values()] }
}

const formatRecord = ({ name, type }: RecordKey): string => `${type} ${name}`

/** The records of a name and type as an object for a plan. Undefined if there are none. */
const recordsOf = (
  { name, type }: RecordKey,
  values: readonly string[],
  ttl: number | undefined,
): readonly KubernetesObject[] =>
  values.length === 0
    ? []
    : [{ apiVersion: 'dns', kind: `${type} record`, metadata: { name }, ttl, values: values.toSorted() }]
