import { dnsRecordProblems } from '../../../shared/contract/dns-record-problems.ts'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import { forceRemoveRecord } from '../../../shared/dns-record/force-remove.ts'
import {
  type Actuator,
  done,
  type Secret,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import {
  readCredentials,
  withCodes,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { leftIn, recordOrphans } from './force-remove.ts'
import { createRecords, type DesignateOptions } from './record.ts'
import type { ZoneClearing } from './record-in-zone.ts'
import { memoryOf, stateOf, zoneProblems } from './zones.ts'

type Records = ReturnType<typeof createRecords>

/**
 * Reconciles DNSRecords of type `openstack-designate` (docs/contract/kinds.md#dnsrecord). A restore reconciles. Create
 * one per process: it holds the logins.
 */
export const designateActuator = (options: DesignateOptions): Actuator<DNSRecord> => {
  const records = createRecords(options)
  const remove = (step: StepContext<DNSRecord>) => removeRecord(records, step)
  return {
    check: checkDesignateRecord,
    reconcile: step => withErrorCodes(reconcileRecord(records, step)),
    remove: step => withErrorCodes(remove(step).then(doneUnlessFailed)),
    forceRemove: step =>
      withErrorCodes(
        forceRemoveRecord(step, async parsed => leftIn(parsed.object, await remove(parsed)), withCodes),
      ),
    orphans: ({ object }) => recordOrphans(object),
    migrate: async ({ object }) => migrated(object),
  }
}

/** Checks a record and its Secret before any call to OpenStack. Throws a `CodedError`. */
export const checkDesignateRecord = ({
  object,
  secret,
}: {
  readonly object: DNSRecord
  readonly secret: Secret | undefined
}): void => {
  const problems = [...dnsRecordProblems(object), ...zoneProblems(object.spec.zone)]
  if (problems.length > 0) throw configurationProblem(formatProblems(problems))
  if (secret !== undefined) readCredentials(secret, { dnsKeys: true })
}

/** Exists while the zone was chosen from several of the same name. gardenlet ignores types that it does not know. */
const severalZones = 'SeveralZones'

const reconcileRecord = async (records: Records, step: StepContext<DNSRecord>): Promise<StepResult> => {
  const { object, log } = step
  const { zone, change, former, state } = await records(step).reconcile()
  if (change !== undefined) log.info('dns record changed', { zone: zone.id, change: change.sentence })
  logRemovals(step, former)
  doneUnlessFailed(former)
  const { among } = zone
  return {
    kind: 'done',
    status: { zone: zone.id, state },
    conditions: {
      ...(object.spec.zone !== undefined && { [severalZones]: undefined }),
      ...(among !== undefined && {
        [severalZones]: {
          status: 'True',
          reason: 'ChosenByRule',
          message: `${object.spec.name} is in zone ${zone.id}. The project has several zones of this name: ${among.join(', ')}. Set spec.zone to choose another one.`,
        },
      }),
    },
  }
}

/** Retains the zone for other seeds, also of an object of the Go extension, which has no state. */
const migrated = ({ status }: DNSRecord): StepResult =>
  status?.zone !== undefined && memoryOf(status.state).zones === undefined
    ? done({ state: stateOf([status.zone]) })
    : done()

const removeRecord = async (
  records: Records,
  step: StepContext<DNSRecord>,
): Promise<readonly ZoneClearing[]> => {
  const clearings = await records(step).remove()
  if (clearings.length === 0)
    step.log.warn('the object names no zone; nothing to delete', { record: step.object.spec.name })
  logRemovals(step, clearings)
  return clearings
}

const logRemovals = (
  { log, object }: Pick<StepContext<DNSRecord>, 'log' | 'object'>,
  clearings: readonly ZoneClearing[],
): void => {
  for (const clearing of clearings) {
    const { zone, kind } = clearing
    if (kind === 'zone gone')
      log.warn('zone no longer exists; nothing to delete', { record: object.spec.name, zone })
    if (kind === 'removed' && clearing.change)
      log.info('dns record deleted', { zone, change: clearing.change.sentence })
  }
}

const doneUnlessFailed = (clearings: readonly ZoneClearing[]): StepResult => {
  for (const clearing of clearings) if (clearing.kind === 'failed') throw clearing.error
  return done()
}
