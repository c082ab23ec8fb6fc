import type { ResourcesOf } from '../../sandbox/providers/provider.ts'
import { parseTimestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { isInForce, pauseOf, pauseProblem } from '../../shared/contract/pause.ts'
import { recordOf, recordsOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { inShell } from '../../shared/text/in-shell.ts'
import { adviceOf } from './advice.ts'
import { cloudNodes } from './nodes/cloud-nodes.ts'
import { machineNodes } from './nodes/machine-nodes.ts'
import { managedResourceNode, ownerOfResource } from './nodes/managed-resource-node.ts'
import { stepNodes } from './nodes/step-nodes.ts'
import { codesOf } from './object-error.ts'
import { inGardenersOrder } from './order.ts'
import { outlookOf, pauseAndThen } from './outlook.ts'
import { ofKind, type SeedView, unreadText, viewIdOf } from './seed-view.ts'
import {
  clusterOfShoot,
  extensionsOf,
  type ObservedShoot,
  retryCommand,
  shootFactsOf,
  shootOfObject,
} from './shoot-of.ts'
import { type NodeError, type TreeNode, worstOf } from './tree.ts'

/**
 * Returns the tree of a shoot: its extension objects in Gardener's order, and below each its steps, ManagedResources,
 * machines and resources in the cloud.
 *
 * @param technical the namespace of the shoot in the seed
 */
export const shootTree = (view: SeedView, technical: string, resourcesOf: ResourcesOf): TreeNode => {
  const shoot = shootFactsOf(technical, clusterOfShoot(view, technical))
  const own = extensionsOf(view, technical)
  const isDeleting =
    shoot.isDeleting ||
    (own.length > 0 && own.every(({ metadata }) => metadata.deletionTimestamp !== undefined))
  const extensions = inGardenersOrder(own, isDeleting)
  const resources = ofKind(view, 'ManagedResource').filter(({ metadata }) => metadata.namespace === technical)
  const ownerOf = new Map(resources.map(one => [one, ownerOfResource(one, extensions)]))
  const nodes = extensions.map(object =>
    extensionNode(object, view, {
      resourcesOf,
      resources: resources.filter(one => ownerOf.get(one) === object),
    }),
  )
  const others = resources.filter(one => ownerOf.get(one) === undefined).map(managedResourceNode)
  return shootNode(shoot, [...nodes, ...others], view)
}

export const extensionNode = (
  object: KubernetesObject,
  view: SeedView,
  {
    resourcesOf,
    resources = [],
  }: { readonly resourcesOf: ResourcesOf; readonly resources?: readonly KubernetesObject[] },
): TreeNode => {
  const served = view.isServed?.(object) ?? true
  const outlook = outlookOf(object.kind as KindName, object, shootOfObject(view, object), view.at, served)
  const children = [
    ...resources.map(managedResourceNode),
    ...(object.kind === 'Worker' ? machineNodes(view, object, resourcesOf) : []),
    ...cloudNodes(viewIdOf(object), resourcesOf(object)),
  ]
  const { type, state, lastUpdateTime } = recordOf(recordOf(object.status).lastOperation)
  const detail = [stringOf(type), stringOf(state), progressOf(object)].filter(part => part !== '').join(' ')
  const since = parseTimestamp(stringOf(lastUpdateTime)) ?? parseTimestamp(object.metadata.creationTimestamp)
  return {
    id: viewIdOf(object),
    kind: 'extension',
    title: `${object.kind} ${object.metadata.name}`,
    ...outlook,
    state: worstOf([outlook.state, ...children.map(({ state }) => state)]),
    detail: detail || 'no operation yet',
    ...(since !== undefined && { since }),
    children: [...stepNodes(view, object), ...children],
  }
}

const progressOf = ({ status }: KubernetesObject): string => {
  const { state, progress } = recordOf(recordOf(status).lastOperation)
  return typeof progress === 'number' && state === 'Processing' ? `${progress} %` : ''
}

const shootNode = (shoot: ObservedShoot, children: readonly TreeNode[], view: SeedView): TreeNode => {
  // Without what could not be read, a shoot is not known to be well.
  const unread = unreadText(view)
  const { metadata = {} } = shoot.cluster ?? {}
  const pause = pauseOf(metadata)
  const isPaused = isInForce(pause, view.at)
  const why = [isPaused ? pauseAndThen(pause, view.at) : pauseProblem(metadata, view.at), unread].filter(
    part => part !== undefined,
  )
  const { lastOperation, lastErrors } = shoot.status
  const { type, state, progress, lastUpdateTime, description } = recordOf(lastOperation)
  const words = [stringOf(type), stringOf(state), typeof progress === 'number' ? `${progress} %` : '']
  const detail = words.filter(part => part !== '').join(' ')
  const since = parseTimestamp(stringOf(lastUpdateTime))
  const isFailed = state === 'Failed' || state === 'Error'
  const run = isPaused
    ? `trellis resume ${inShell(shoot.technical)}`
    : state === 'Failed'
      ? retryCommand(shoot)
      : undefined
  return {
    id: `Shoot ${shoot.technical}`,
    kind: 'shoot',
    title: `Shoot ${shoot.name}`,
    state: worstOf([
      isFailed ? 'failed' : unread === undefined ? 'ok' : 'unknown',
      ...(isPaused ? (['waiting'] as const) : []),
      ...children.map(child => child.state),
    ]),
    ...(why.length > 0 && { why: why.join('; ') }),
    ...(isPaused && { next: { what: 'the end of the pause', at: pause.until } }),
    ...(detail !== '' && { detail }),
    ...(since !== undefined && { since }),
    ...(isFailed && {
      error: shootError(
        lastErrors,
        stringOf(description),
        state === 'Failed'
          ? 'its user or an operator removes the cause and retries the shoot'
          : 'gardenlet retries it',
      ),
    }),
    ...(run !== undefined && { run }),
    children,
  }
}

/** @param fix for errors without a code */
const shootError = (lastErrors: unknown, otherwise: string, fix: string): NodeError => {
  const errors = recordsOf(lastErrors)
  const codes = [...new Set(errors.flatMap(one => codesOf(one.codes)))]
  const text = errors
    .map(one => stringOf(one.description))
    .filter(part => part !== '')
    .join('; ')
  return {
    text: text || otherwise || 'the shoot does not say why',
    codes,
    fix: codes.length > 0 ? adviceOf({ text, codes }) : fix,
  }
}
