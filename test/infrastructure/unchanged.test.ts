import { describe, expect, test } from 'vitest'
import { isRead } from '../../cli/narration/aws-call.ts'
import { madeShoot } from './made-shoot.ts'
import { type ShapeName, shapes } from './shapes.ts'

/** There are two own addresses in the example's account. */
const zonesOf = (shape: ShapeName) => (shape === 'own addresses' ? [1, 2] : [1, 3])
const names = Object.keys(shapes) as ShapeName[]

describe.each(names)('an unchanged shoot, %s,', shape => {
  test('costs few reads, each of them once, as many in every number of zones', async () => {
    const most = shape === 'dual stack' || shape === 'IPv6 only' ? 18 : 15
    const counts = new Set<number>()
    for (const zones of zonesOf(shape)) {
      const { aws, reconcile } = (await madeShoot(shapes[shape](zones))).again()
      expect(await reconcile()).toEqual([])
      const reads = aws.calls.all().filter(isRead)
      const asked = reads.map(({ action, input }) => `${action} ${JSON.stringify(input)}`)
      expect(asked).toEqual([...new Set(asked)])
      counts.add(reads.length)
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(most)
    expect(counts.size).toBe(1)
  })
})
