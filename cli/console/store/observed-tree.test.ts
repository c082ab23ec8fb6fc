import { expect, test } from 'vitest'
import { apiVersion } from '../../../shared/contract/constants.ts'
import { commandToCopy } from '../../commands/observe-output.ts'
import type { TreeNode } from '../../observe/observe.ts'
import { observedTree } from './observed-tree.ts'

/** The commands of a page about a failed object, for a console with `--kubeconfig` and `--context`. */
const commandsOf = (namespace: string, name: string): readonly string[] => {
  const object = {
    ...{
      apiVersion,
      kind: 'Network',
      metadata: { namespace, name, uid: 'u', generation: 1, annotations: {} },
    },
    spec: { type: 'calico' },
    status: {
      ...{ observedGeneration: 1, lastError: { description: 'no route' } },
      lastOperation: { type: 'Reconcile', state: 'Error', description: '', progress: 1, lastUpdateTime: '' },
    },
  }
  const cluster = { kubeconfig: 'my seed.yaml', context: 'eu' }
  const treeAt = observedTree(
    () => [],
    run => commandToCopy(run, cluster),
  )
  const tree = treeAt({
    ...{ shoot: namespace, objects: new Map([['Network', object]]), isPast: false, at: 1, steps: [] },
    ...{ clustersRead: false, isServed: () => true as const },
  })
  const commandsIn = (node: TreeNode): readonly string[] => [
    ...(node.run === undefined ? [] : [node.run]),
    ...node.children.flatMap(commandsIn),
  ]
  return tree === undefined ? [] : commandsIn(tree)
}

test('a command to copy is for the cluster of the console, and a name in a recording is one word of it', () => {
  const flags = "--kubeconfig 'my seed.yaml' --context eu"
  expect(commandsOf('shoot--dev--rose', 'rose')).toEqual([
    `trellis retry Network/shoot--dev--rose/rose ${flags}`,
  ])
  expect(commandsOf('shoot--dev--rose', 'x; id > x')).toEqual([
    `trellis retry 'Network/shoot--dev--rose/x; id > x' ${flags}`,
  ])
})
