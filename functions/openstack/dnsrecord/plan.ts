import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { checkDesignateRecord } from './actuator.ts'
import { createRecords } from './record.ts'
import type { RecordSetChange } from './record-set.ts'

export type { RecordSetChange } from './record-set.ts'

export interface DesignatePlan {
  /** The id of the zone. Undefined: a deletion has nothing to do. */
  readonly zone: string | undefined
  readonly actions: readonly RecordSetChange[]
}

/**
 * Returns the changes that the next step of the function would make in Designate, from the same reads and checks. Reads
 * only. Throws the errors that the step would throw before its first change.
 */
export const planDnsRecord = (
  input: CloudPlanInput<DNSRecord, OpenStackConnection>,
): Promise<DesignatePlan> => withErrorCodes(planOf(input))

const planOf = async ({
  connection,
  clock,
  destroy = false,
  ...input
}: CloudPlanInput<DNSRecord, OpenStackConnection>): Promise<DesignatePlan> => {
  if (!destroy) checkDesignateRecord(input)
  const record = createRecords({ connection, clock })({ ...input, throwIfExpired: refuseWrites })
  const { zone, change, former } = await record.plan(destroy)
  const removals = former.flatMap(clearing => {
    if (clearing.kind === 'failed') throw clearing.error
    return clearing.kind === 'removed' && clearing.change ? [clearing] : []
  })
  return {
    zone: zone?.id ?? removals.at(-1)?.zone,
    actions: [...(change ? [change] : []), ...removals.flatMap(({ change: removal }) => removal ?? [])],
  }
}
