import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import { done, type StepContext, type StepResult } from '../../../shared/lifecycle/actuator.ts'
import { planRecord, windowFor } from '../../../terraform-free-infra/aws/dns/plan.ts'
import { zoneError } from '../../../terraform-free-infra/aws/dns/zone-error.ts'
import { type ConnectRoute53, mostCalls } from './connect.ts'
import { desiredRecord } from './desired-record.ts'
import { listedZone, namedZone, noZone } from './zone.ts'

/**
 * Makes the record as the spec says. Costs one read, and one change when something differs; before, a page of 100
 * hosted zones per request as long as neither spec nor status name the zone.
 */
export const reconcileRecord = async (
  connect: ConnectRoute53,
  step: StepContext<DNSRecord>,
): Promise<StepResult> => {
  const { object, signal, log } = step
  const { route53, reserve, run } = await connect(step)
  const settled = isSettled(object)
  const calls = settled ? 1 : mostCalls
  const reserved = await reserve({ calls })
  const zone =
    namedZone(object) ??
    (await run(`choosing the hosted zone of ${object.spec.name}`, () => listedZone(object, route53, signal)))
  if (zone === undefined) {
    reserved.release(calls)
    throw noZone(object)
  }

  const record = desiredRecord(object)
  const where = `of ${record.name} in hosted zone ${zone.id}`
  const observed = await run(
    `reading the records ${where}`,
    () => route53.listRecordSets(zone.id, windowFor(record), signal),
    error => zoneError(error, zone.origin),
  )
  const changes = planRecord(record, observed)
  if (changes.length === 0) {
    reserved.release(calls - 1)
  } else {
    if (settled) await reserve({ calls: 1, callsLater: mostCalls, waited: true })
    await run(
      `changing the records ${where}`,
      () => route53.changeRecordSets(zone.id, changes, signal),
      error => zoneError(error, zone.origin),
    )
    log.info('dns records changed', { zone: zone.id, changes: changes.map(change => change.sentence) })
  }
  return done({ zone: zone.id })
}

/** Whether what is wanted was made before, so that most likely nothing differs: half the wait for many at once. */
const isSettled = ({ metadata, status }: DNSRecord): boolean =>
  status?.zone !== undefined &&
  !status.lastError &&
  status.observedGeneration !== undefined &&
  status.observedGeneration === metadata.generation
