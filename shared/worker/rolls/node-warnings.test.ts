import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NodeChange, PoolRolled } from './node-changes.ts'
import { nodeWarnings } from './node-warnings.ts'

const nodes = (least: number, most = least) => ({ least, most })
const cause = (name: string, from?: string, to?: string) => ({ name, from, to })
const roll = (fields: Partial<PoolRolled> = {}): NodeChange => ({
  kind: 'replaced',
  pool: 'a',
  nodes: nodes(3, 12),
  causes: [cause('machine type', 'm5.large', 'm5.xlarge')],
  ...fields,
})

test.each<[NodeChange, string]>([
  [roll(), 'rolls 3 to 12 nodes of pool a: machine type changed from m5.large to m5.xlarge'],
  [roll({ nodes: nodes(1) }), 'rolls 1 node of pool a: machine type changed from m5.large to m5.xlarge'],
  [
    roll({ nodes: nodes(0, 3), causes: [cause('x', undefined, '1')] }),
    'rolls up to 3 nodes of pool a: x set to 1',
  ],
  [roll({ causes: [cause('x', '1')] }), 'rolls 3 to 12 nodes of pool a: x removed (was 1)'],
  [roll({ causes: [cause('providerConfig')] }), 'rolls 3 to 12 nodes of pool a: providerConfig changed'],
  [roll({ causes: [] }), 'rolls 3 to 12 nodes of pool a: the order of its volumes or interfaces changed'],
  [
    roll({ causes: [cause('x', '1', '2'), cause('y', '', '2'), cause('z', '1')] }),
    'rolls 3 to 12 nodes of pool a: x changed from 1 to 2, y changed from "" to 2, 1 more change',
  ],
  [{ kind: 'removed', pool: 'a', nodes: nodes(2) }, 'deletes 2 nodes: pool a is removed'],
  [
    { kind: 'hibernated', nodes: nodes(4, 9) },
    'deletes 4 to 9 nodes without a drain: hibernation is enabled',
  ],
])('%j is said in one line', (change, line) => {
  expect(nodeWarnings([change])).toEqual([line])
})

test('at most ten pools are named', () => {
  const pools = Array.from({ length: 13 }, (_, index) => roll({ pool: `p${index}` }))
  const lines = nodeWarnings(pools)
  expect(lines).toHaveLength(11)
  expect(lines.at(-1)).toBe('affects the nodes of 3 more pools')
})

test('all warnings of any change fit into what API servers pass on', () => {
  const text = fc.string({ maxLength: 5_000, unit: 'grapheme' })
  const change = fc.record({
    kind: fc.constantFrom('replaced', 'updated in place', 'updated in place manually'),
    pool: text,
    nodes: fc.record({ least: fc.nat(), most: fc.nat() }),
    causes: fc.array(fc.record({ name: text, from: fc.option(text, { nil: undefined }), to: text }), {
      maxLength: 9,
    }),
  }) as fc.Arbitrary<NodeChange>
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), changes => {
      const lines = nodeWarnings(changes)
      expect(lines.length > 0).toBe(changes.length > 0)
      expect(lines.length).toBeLessThanOrEqual(11)
      for (const line of lines) expect(line).not.toMatch(/\n.*: $/)
    }),
  )
})
