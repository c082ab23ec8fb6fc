import type { ResourcesOf } from '../../../sandbox/providers/provider.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import { isRolledOut } from '../../../shared/contract/awaited.ts'
import { recordOf, recordsOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { ofKind, type SeedView, viewIdOf } from '../seed-view.ts'
import { type NodeState, type TreeNode, worstOf } from '../tree.ts'
import { cloudNodes } from './cloud-nodes.ts'

/** Returns the MachineDeployments of a Worker, and below each its Machines. Machines of no deployment come last. */
export const machineNodes = (
  view: SeedView,
  { metadata: { namespace } }: KubernetesObject,
  resourcesOf: ResourcesOf,
): readonly TreeNode[] => {
  const own = (kind: string) => ofKind(view, kind).filter(({ metadata }) => metadata.namespace === namespace)
  const deployments = own('MachineDeployment')
  const machines = Map.groupBy(own('Machine'), machine => deploymentOf(machine, deployments))
  return [
    ...deployments.map(deployment => deploymentNode(deployment, machines.get(deployment) ?? [], resourcesOf)),
    ...(machines.get(undefined) ?? []).map(machine => machineNode(machine, undefined, resourcesOf)),
  ]
}

/** Returns the deployment of a Machine, by the label that the Worker gives, or by the name of its MachineSet. */
const deploymentOf = (
  { metadata: { labels = {}, ownerReferences } }: KubernetesObject,
  deployments: readonly KubernetesObject[],
): KubernetesObject | undefined => {
  const set = stringOf(recordsOf(ownerReferences).find(({ kind }) => kind === 'MachineSet')?.name)
  return (
    deployments.find(({ metadata }) => metadata.name === labels.name) ??
    deployments.find(({ metadata }) => set.replace(/-[^-]*$/, '') === metadata.name)
  )
}

const classOf = (spec: unknown): string => stringOf(recordOf(recordOf(spec).class).name)

const deploymentNode = (
  deployment: KubernetesObject,
  machines: readonly KubernetesObject[],
  resourcesOf: ResourcesOf,
): TreeNode => {
  const { metadata, spec, status } = deployment
  const { replicas: desired = 0, template, paused } = recordOf(spec)
  const { readyReplicas: ready = 0, conditions } = recordOf(status)
  const wanted = classOf(recordOf(template).spec)
  const old = machines.filter(machine => wanted !== '' && classOf(machine.spec) !== wanted).length
  const frozen = recordsOf(conditions).find(({ type, status }) => type === 'Frozen' && status === 'True')
  const children = machines.map(machine => machineNode(machine, wanted, resourcesOf))
  const why =
    frozen !== undefined
      ? `the machine controller has frozen it: ${stringOf(frozen.message) || stringOf(frozen.reason)}`
      : paused === true
        ? 'it is paused'
        : isRolledOut(deployment)
          ? undefined
          : old > 0
            ? `${old} of its machines are replaced, because it has a new class`
            : ready === desired
              ? 'the machine controller has not completed the last change'
              : `${String(ready)} of ${String(desired)} machines are ready`
  const own: NodeState = frozen !== undefined ? 'failed' : why === undefined ? 'ok' : 'waiting'
  const since = parseTimestamp(metadata.creationTimestamp)
  return {
    id: viewIdOf(deployment),
    kind: 'machine',
    title: `MachineDeployment ${metadata.name}`,
    state: worstOf([own, ...children.map(({ state }) => state)]),
    detail: `${String(ready)} of ${String(desired)} ready${old === 0 ? '' : `, ${old} to be replaced`}`,
    ...(since !== undefined && { since }),
    ...(why !== undefined && { why, next: { what: 'the machine controller adds or removes machines' } }),
    children,
  }
}

const failedPhases: ReadonlySet<string> = new Set(['Failed', 'CrashLoopBackOff'])

/** @param wanted the current class of its deployment; '' or undefined: unknown */
const machineNode = (
  machine: KubernetesObject,
  wanted: string | undefined,
  resourcesOf: ResourcesOf,
): TreeNode => {
  const { metadata, spec, status } = machine
  const { currentStatus, lastOperation } = recordOf(status)
  const { phase, lastUpdateTime } = recordOf(currentStatus)
  const { description, errorCode, state: lastState } = recordOf(lastOperation)
  const shown = stringOf(phase) || 'no phase yet'
  const isOld = wanted !== undefined && wanted !== '' && classOf(spec) !== wanted
  const isDeleting = metadata.deletionTimestamp !== undefined
  const isFailed = failedPhases.has(shown) || lastState === 'Failed'
  const state = isFailed ? 'failed' : shown === 'Running' && !isDeleting ? 'ok' : 'waiting'
  const since = parseTimestamp(stringOf(lastUpdateTime)) ?? parseTimestamp(metadata.creationTimestamp)
  const node = metadata.labels?.node
  return {
    id: viewIdOf(machine),
    kind: 'machine',
    title: `Machine ${metadata.name}`,
    state,
    detail: `${shown}${node === undefined ? '' : `, node ${node}`}${isOld ? ', of an old class' : ''}`,
    ...(since !== undefined && { since }),
    ...(state === 'waiting' && {
      why: isDeleting
        ? 'it is being drained and deleted'
        : stringOf(description) || 'its node has not joined',
      next: { what: isDeleting ? 'the end of the machine' : 'its node joins' },
    }),
    ...(isFailed && {
      error: {
        text: stringOf(description) || `the machine is ${shown}`,
        codes: stringOf(errorCode) === '' ? [] : [stringOf(errorCode)],
        ...(since !== undefined && { since }),
      },
      next: { what: 'the machine controller tries again or replaces the machine' },
    }),
    children: cloudNodes(viewIdOf(machine), resourcesOf(machine)),
  }
}
