import type {
  InstanceStateChange,
  StopInstancesRequest,
  StopInstancesResult,
  TerminateInstancesRequest,
  TerminateInstancesResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { findAll } from '../core/describe/find.ts'
import { operation } from '../core/requests/operation.ts'
import type { Instance } from '../rows/compute.ts'
import { instanceState } from './instance-state.ts'

const stateOut = (ec2: Ec2, row: Instance) => {
  const { code, name } = instanceState(ec2, row)
  return { Code: code, Name: name }
}

/** Replaces the changed rows and returns their previous and current states. */
const change = (
  ec2: Ec2,
  rows: readonly Instance[],
  next: (row: Instance) => Instance,
): InstanceStateChange[] =>
  rows.map(row => {
    const changed = next(row)
    ec2.tables.instances.put(changed)
    return {
      InstanceId: row.id,
      PreviousState: stateOut(ec2, row),
      CurrentState: stateOut(ec2, changed),
    }
  })

/** Deletes or detaches the parts of an instance when it has shut down. */
const releaseParts = (ec2: Ec2, row: Instance, at: number): void => {
  const { networkInterfaces, volumes } = ec2.tables
  for (const own of networkInterfaces.by('attachment.instance-id', row.id)) {
    if (!own.attachment) continue
    networkInterfaces.put(
      own.attachment.deleteOnTermination
        ? { ...own, goneAt: at }
        : { ...own, attachment: { ...own.attachment, until: at } },
    )
  }
  for (const volume of volumes.by('attachment.instance-id', row.id)) {
    if (!volume.attachment) continue
    volumes.put(
      volume.attachment.deleteOnTermination
        ? { ...volume, goneAt: at }
        : { ...volume, attachment: { ...volume.attachment, until: at } },
    )
  }
}

const terminated = (ec2: Ec2, row: Instance): Instance => {
  if (row.terminatedAt !== undefined) return row
  const at = ec2.now + ec2.durations.instanceTerminated
  releaseParts(ec2, row, at)
  return { ...row, terminatedAt: ec2.now, goneAt: at + ec2.durations.instanceListed }
}

/** Text: cloud-custodian/cloud-custodian#8007. */
const notPermitted = ({ id }: Instance, verb: string, attribute: string) =>
  refuse(
    'OperationNotPermitted',
    `The instance '${id}' may not be ${verb}. Modify its '${attribute}' instance attribute and try again.`,
  )

/** A protection from stops also protects from termination (cloud-custodian/cloud-custodian#7597). */
const checkTermination = (rows: readonly Instance[]): void => {
  for (const row of rows.filter(({ terminatedAt }) => terminatedAt === undefined)) {
    if (row.terminationProtected) throw notPermitted(row, 'terminated', 'disableApiTermination')
    if (row.stopProtected) throw notPermitted(row, 'terminated', 'disableApiStop')
  }
}

const checkStop = (rows: readonly Instance[]): void => {
  const kept = rows.find(({ stopProtected }) => stopProtected)
  if (kept) throw notPermitted(kept, 'stopped', 'disableApiStop')
}

const inState = (ec2: Ec2, row: Instance, allowed: readonly string[], verb: string): void => {
  const { name } = instanceState(ec2, row)
  if (allowed.includes(name)) return
  throw refuse(
    'IncorrectInstanceState',
    `The instance '${row.id}' is not in a state from which it can be ${verb}.`,
  )
}

export const lifecycleOperations = {
  TerminateInstances: operation<TerminateInstancesRequest, TerminateInstancesResult>(
    { InstanceIds: true, Force: true, SkipOsShutdown: true },
    (input, ec2) => {
      const rows = findAll(ec2, 'instances', input.InstanceIds ?? [])
      checkTermination(rows)
      return { TerminatingInstances: change(ec2, rows, row => terminated(ec2, row)) }
    },
  ),
  StopInstances: operation<StopInstancesRequest, StopInstancesResult>(
    { InstanceIds: true, Force: true, SkipOsShutdown: true },
    (input, ec2) => {
      const rows = findAll(ec2, 'instances', input.InstanceIds ?? [])
      checkStop(rows)
      for (const row of rows) inState(ec2, row, ['running', 'stopping', 'stopped'], 'stopped')
      return {
        StoppingInstances: change(ec2, rows, row => ({ ...row, stoppedAt: row.stoppedAt ?? ec2.now })),
      }
    },
  ),
}
