import { expect, test } from 'vitest'
import { isRead } from '../../sandbox/providers/aws/simulator/aws.ts'
import { madeShoot } from './made-shoot.ts'
import { type ShapeName, shapes } from './shapes.ts'

/** The example's account has two own addresses. */
const zonesOf = (shape: ShapeName) => (shape === 'own addresses' ? [1, 2] : [1, 3])

/** The number of reads for any number of zones. The goal is at most 15, or 18 with IPv6. */
const readsOf: Readonly<Record<ShapeName, number>> = {
  standard: 14,
  'gateway endpoint': 14,
  'file system': 15,
  'dual stack': 16,
  'IPv6 only': 16,
  'existing VPC': 14,
  'own subnets': 11,
  'own addresses': 14,
}

test.each(Object.entries(readsOf) as [ShapeName, number][])(
  'an unchanged shoot, %s, costs %i different reads and no write',
  async (shape, expected) => {
    for (const zones of zonesOf(shape)) {
      const { aws, reconcile } = (await madeShoot(shapes[shape](zones))).again()
      expect(await reconcile()).toEqual([])
      const reads = aws.calls.all().filter(isRead)
      const asked = reads.map(({ action, input }) => `${action} ${JSON.stringify(input)}`)
      expect(asked).toEqual([...new Set(asked)])
      expect(asked).toHaveLength(expected)
    }
  },
)
