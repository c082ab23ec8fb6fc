import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import { done, type StepContext, type StepResult } from '../../../shared/lifecycle/actuator.ts'
import { type PlannedChange, planRemoval, windowFor } from '../../../terraform-free-infra/aws/dns/plan.ts'
import type { Reservation } from '../../../terraform-free-infra/aws/dns/rate-limit.ts'
import {
  isAlreadyGone,
  isChangedMeanwhile,
  isMissingZone,
} from '../../../terraform-free-infra/aws/dns/zone-error.ts'
import { AwsError } from '../../../terraform-free-infra/aws/errors/aws-error.ts'
import { type ConnectRoute53, mostCalls, type Route53Account } from './connect.ts'
import { desiredRecord } from './desired-record.ts'
import { listedZone, namedZone } from './zone.ts'

/** Looks at the records and at what somebody else made of them in between, so many times in one step. */
const mostReads = 2

/**
 * Removes the record as it is there, whatever its values. Nothing there, or no zone that could hold it, is success:
 * a zone takes its records along.
 */
export const removeRecord = async (
  connect: ConnectRoute53,
  step: StepContext<DNSRecord>,
): Promise<StepResult> => {
  const { object, signal, log } = step
  const account = await connect(step)
  const reserved = await account.reserve({ calls: mostCalls })
  const zone =
    namedZone(object) ??
    (await account.run(`choosing the hosted zone of ${object.spec.name}`, () =>
      listedZone(object, account.route53, signal),
    ))
  if (zone === undefined) {
    reserved.release(mostCalls)
    log.warn('no hosted zone holds the record, so there is nothing to delete', { record: object.spec.name })
    return done()
  }
  try {
    await removeFrom(zone.id, account, step, reserved)
  } catch (error) {
    if (!(error instanceof AwsError && isMissingZone(error))) throw error
    log.warn('the hosted zone is gone, and the record with it', { record: object.spec.name, zone: zone.id })
  }
  return done()
}

const removeFrom = async (
  zoneId: string,
  { route53, reserve, run }: Route53Account,
  { object, signal, log }: StepContext<DNSRecord>,
  first: Reservation,
): Promise<void> => {
  const record = desiredRecord(object)
  const where = `of ${record.name} in hosted zone ${zoneId}`

  for (let reads = 1; ; reads++) {
    const reserved = reads === 1 ? first : await reserve({ calls: mostCalls, waited: true })
    const observed = await run(`reading the records ${where}`, () =>
      route53.listRecordSets(zoneId, windowFor(record), signal),
    )
    const changes: readonly PlannedChange[] = planRemoval(record, observed)
    if (changes.length === 0) return reserved.release(1)
    try {
      await run(`deleting the records ${where}`, () => route53.changeRecordSets(zoneId, changes, signal))
      return log.info('dns records deleted', {
        zone: zoneId,
        changes: changes.map(change => change.sentence),
      })
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      // A batch is all or nothing: only when it was about one record set, "not found" means that all is gone.
      if (isAlreadyGone(error) && changes.length === 1) return
      if (reads === mostReads || !(isAlreadyGone(error) || isChangedMeanwhile(error))) throw error
    }
  }
}
