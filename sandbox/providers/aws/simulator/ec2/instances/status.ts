import type {
  DescribeInstanceStatusRequest,
  DescribeInstanceStatusResult,
  InstanceStatus,
  InstanceStatusSummary,
  SummaryStatus,
} from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { listRows } from '../core/describe/list.ts'
import { operation } from '../core/requests/operation.ts'
import type { Instance } from '../rows/compute.ts'
import { zoneId } from '../zones/catalogue.ts'
import { instanceState } from './instance-state.ts'

/** The checks begin when an instance is running ("Status checks for Amazon EC2 instances", EC2 user guide). */
const checksOf = (ec2: Ec2, row: Instance): SummaryStatus => {
  if (instanceState(ec2, row).name !== 'running') return 'not-applicable'
  const passed = row.startedAt + ec2.durations.instanceRunning + ec2.durations.instanceChecked
  return ec2.now < passed ? 'initializing' : 'ok'
}

const view = (ec2: Ec2, row: Instance): InstanceStatus => {
  const { code, name } = instanceState(ec2, row)
  const Status = checksOf(ec2, row)
  const checks: InstanceStatusSummary =
    Status === 'not-applicable'
      ? { Status }
      : { Status, Details: [{ Name: 'reachability', Status: Status === 'ok' ? 'passed' : 'initializing' }] }
  return {
    InstanceId: row.id,
    AvailabilityZone: row.zone,
    AvailabilityZoneId: zoneId(row.zone),
    InstanceState: { Code: code, Name: name },
    InstanceStatus: checks,
    SystemStatus: checks,
    AttachedEbsStatus: checks,
  }
}

const fields = (ec2: Ec2): FilterFields<Instance> => ({
  'availability-zone': row => row.zone,
  'availability-zone-id': row => zoneId(row.zone),
  'instance-state-code': row => instanceState(ec2, row).code,
  'instance-state-name': row => instanceState(ec2, row).name,
  'instance-status.reachability': row => (checksOf(ec2, row) === 'ok' ? 'passed' : checksOf(ec2, row)),
  'instance-status.status': row => checksOf(ec2, row),
  'system-status.reachability': row => (checksOf(ec2, row) === 'ok' ? 'passed' : checksOf(ec2, row)),
  'system-status.status': row => checksOf(ec2, row),
})

export const instanceStatusOperations = {
  /** Returns only running instances unless all are requested. */
  DescribeInstanceStatus: operation<DescribeInstanceStatusRequest, DescribeInstanceStatusResult>(
    { InstanceIds: true, IncludeAllInstances: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const running = { Name: 'instance-state-name', Values: ['running'] }
      const { items, next } = listRows(ec2, 'instances', fields(ec2), {
        ...input,
        ids: input.InstanceIds,
        idsName: 'instancesSet',
        filters: [...(input.Filters ?? []), ...(input.IncludeAllInstances ? [] : [running])],
      })
      return { InstanceStatuses: items.map(row => view(ec2, row)), NextToken: next }
    },
  ),
}
