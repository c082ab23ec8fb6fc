import { expect, test } from 'vitest'
import type { NodeState, TreeNode } from './tree.ts'
import { recordedIn, type Verification, verifiedTree } from './verified-tree.ts'

const inCloud = (type: string, id: string, children: readonly TreeNode[] = []): TreeNode => ({
  id: `Infrastructure shoot--a/a ${type} ${id}`,
  kind: 'cloud resource',
  title: `${type} ${id}`,
  state: 'ok',
  detail: 'as recorded',
  resource: { type, id },
  children,
})
const treeWith = (state: NodeState): TreeNode => ({
  id: 'shoot--a',
  kind: 'shoot',
  title: 'Shoot a',
  state,
  children: [
    {
      id: 'Infrastructure shoot--a/a',
      kind: 'extension',
      title: 'Infrastructure a',
      state,
      children: [inCloud('VPC', 'vpc-1', [inCloud('NAT gateway', 'nat-1')])],
    },
    { id: 'Network shoot--a/a', kind: 'extension', title: 'Network a', state: 'ok', children: [] },
  ],
})
const linesOf = (node: TreeNode): readonly string[] => [
  `${node.state} ${node.title}${node.detail === undefined ? '' : `: ${node.detail}`}`,
  ...node.children.flatMap(linesOf),
]
const shown = (state: NodeState, found: Verification) =>
  linesOf(verifiedTree(treeWith(state), new Map([['Infrastructure shoot--a/a', found]])))

test('objects with resources in a cloud can be verified', () => {
  expect(recordedIn(treeWith('ok'))).toEqual(['Infrastructure shoot--a/a'])
})

test('a cloud that has everything is said to have been read', () => {
  expect(shown('ok', { kind: 'read', actions: [] })).toEqual([
    'ok Shoot a',
    'ok Infrastructure a',
    'ok VPC vpc-1: seen in the cloud',
    'ok NAT gateway nat-1: seen in the cloud',
    'ok Network a',
  ])
})

const actions = [
  { sentence: 'create NAT gateway in zone a' },
  { sentence: 'update VPC: enableDnsSupport true instead of false', id: 'vpc-1' },
]

test('a difference of an object without work is a failure, up to the shoot', () => {
  expect(shown('ok', { kind: 'read', actions })).toEqual([
    'failed Shoot a',
    'failed Infrastructure a',
    'failed VPC vpc-1: differs in the cloud',
    'ok NAT gateway nat-1: as recorded',
    'failed the next reconciliation would create NAT gateway in zone a',
    'failed the next reconciliation would update VPC: enableDnsSupport true instead of false',
    'ok Network a',
  ])
})

test('a difference of an object at work waits for it', () => {
  expect(shown('working', { kind: 'read', actions: actions.slice(0, 1) })).toContain(
    'waiting the next reconciliation would create NAT gateway in zone a',
  )
})

test('a cloud that cannot be read is unknown', () => {
  expect(shown('ok', { kind: 'unknown', why: 'AccessDenied' })).toEqual([
    'unknown Shoot a',
    'unknown Infrastructure a',
    'ok VPC vpc-1: as recorded',
    'ok NAT gateway nat-1: as recorded',
    'unknown the cloud could not be read: AccessDenied',
    'ok Network a',
  ])
})
