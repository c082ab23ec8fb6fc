import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { shootTree } from './shoot-tree.ts'
import type { TreeNode } from './tree.ts'

const namespace = 'shoot--garden--rose'
const now = Date.parse('2026-11-21T12:00:00Z')

const object = (kind: string, name: string, fields: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  spec: { type: 'acme' },
  ...fields,
  metadata: Object.assign({ name, namespace, generation: 2 }, Object(fields).metadata),
})

const treeOf = (...objects: readonly KubernetesObject[]): TreeNode =>
  shootTree({ at: now, objects, clustersRead: false, steps: undefined, missing: [] }, namespace, () => [])

/** The titles of a tree, each with the titles below it. */
const titlesIn = ({ title, children }: TreeNode): readonly unknown[] =>
  children.length === 0 ? [title] : [title, ...children.map(titlesIn)]

const managed = (name: string, status: object = {}) =>
  object('ManagedResource', name, {
    spec: {},
    status: {
      observedGeneration: 2,
      conditions: [
        { type: 'ResourcesApplied', status: 'True' },
        { type: 'ResourcesHealthy', status: 'True' },
        { type: 'ResourcesProgressing', status: 'False' },
      ],
      ...status,
    },
  })

test('objects are in the order of Gardener, with the ManagedResources of each below it and those of others at the end', () => {
  const tree = treeOf(
    managed('shoot-core-dns'),
    managed('extension-controlplane-shoot'),
    managed('extension-oidc-webhook'),
    object('Worker', 'rose'),
    object('Extension', 'oidc'),
    object('ControlPlane', 'rose'),
    object('Infrastructure', 'rose'),
  )
  expect(titlesIn(tree)).toEqual([
    `Shoot ${namespace}`,
    ['Infrastructure rose'],
    ['ControlPlane rose', ['ManagedResource extension-controlplane-shoot']],
    ['Extension oidc', ['ManagedResource extension-oidc-webhook']],
    ['Worker rose'],
    ['ManagedResource shoot-core-dns'],
  ])
})

describe('a ManagedResource', () => {
  const conditions = [{ type: 'ResourcesApplied', status: 'False', message: 'no such kind' }]
  test.each([
    ['is fine if its latest change is applied and healthy', {}, 'ok', undefined],
    [
      'waits while its latest change is not applied',
      { observedGeneration: 1 },
      'waiting',
      'the resource manager has not applied its latest change',
    ],
    [
      'waits without conditions',
      { conditions: [] },
      'waiting',
      'the resource manager has not set ResourcesApplied',
    ],
    [
      'fails with the text of its condition',
      { conditions },
      'failed',
      'ResourcesApplied is False: no such kind',
    ],
  ])('%s', (_, status, state, why) => {
    expect(treeOf(managed('shoot-core', status)).children).toMatchObject([{ state, ...(why && { why }) }])
  })
})

describe('a MachineDeployment', () => {
  const spec = (name: string) => ({ class: { kind: 'MachineClass', name } })
  const deployment = (status: object = {}) =>
    object('MachineDeployment', 'pool-z1', {
      spec: { replicas: 1, template: { spec: spec('new') } },
      status: {
        observedGeneration: 2,
        replicas: 1,
        readyReplicas: 1,
        updatedReplicas: 1,
        conditions: [{ type: 'Available', status: 'True' }],
        ...status,
      },
    })
  const machine = (of: string, phase = 'Running') =>
    object('Machine', `m-${of}`, {
      metadata: { labels: { name: 'pool-z1' } },
      spec: spec(of),
      status: { currentStatus: { phase } },
    })
  const nodeOf =
    (...machines: readonly KubernetesObject[]) =>
    (status?: object) =>
      treeOf(object('Worker', 'rose'), deployment(status), ...machines).children[0]?.children[0]

  test('is fine if all machines are ready and of its class, also if machines cannot be read', () => {
    expect(nodeOf(machine('new'))()).toMatchObject({ state: 'ok', detail: '1 of 1 ready' })
    expect(nodeOf()()).toMatchObject({ state: 'ok', detail: '1 of 1 ready' })
  })

  test('waits while its machines are replaced, although as many as desired are ready', () => {
    expect(nodeOf(machine('old'))({ updatedReplicas: 0 })).toMatchObject({
      state: 'waiting',
      detail: '1 of 1 ready, 1 to be replaced',
      why: '1 of its machines are replaced, because it has a new class',
      children: [{ detail: 'Running, of an old class' }],
    })
  })

  test('waits for machines, and fails with a machine', () => {
    const pending = { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 }
    expect(nodeOf(machine('new', 'Pending'))(pending)).toMatchObject({
      state: 'waiting',
      why: '0 of 1 machines are ready',
    })
    expect(nodeOf(machine('new', 'CrashLoopBackOff'))(pending)).toMatchObject({ state: 'failed' })
  })

  test('fails if the machine controller has frozen it', () => {
    const conditions = [{ type: 'Frozen', status: 'True', message: 'too many machines' }]
    expect(nodeOf()({ conditions })).toMatchObject({
      state: 'failed',
      why: 'the machine controller has frozen it: too many machines',
    })
  })
})
