import { durationsOf } from '../../sandbox/aws/ec2/durations.ts'
import type { ShapeName } from '../../test/infrastructure/shapes.ts'
import { atMost, type Benchmark, below, type Figure, type Target } from '../figure.ts'
import { lifeOf } from './life.ts'

/** What the Go extension calls: for one and three zones, when nothing has changed (traced, for the most part run). */
const idleOfGo: Readonly<Record<ShapeName, readonly [number, number]>> = {
  standard: [30, 46],
  'gateway endpoint': [31, 47],
  'file system': [31, 47],
  'dual stack': [47, 71],
  'IPv6 only': [47, 71],
  'existing VPC': [36, 52],
  'own subnets': [30, 42],
  'own addresses': [31, 45],
}
const shapeNames = Object.keys(idleOfGo) as ShapeName[]
const zoneCounts = [1, 3] as const
const zonesOf = (count: number) => (count === 1 ? '1 zone' : `${count} zones`)
/** There are two own addresses in the example's account. */
const countsOf = (shape: ShapeName) => (shape === 'own addresses' ? ([1] as const) : zoneCounts)

const readsTarget = (shape: ShapeName, go: number): Target => {
  if (shape === 'standard' || shape === 'gateway endpoint') return atMost(15)
  return shape === 'dual stack' || shape === 'IPv6 only' ? atMost(18) : below(go)
}

/** An infrastructure that is as it should be. */
const idle: Benchmark = {
  name: 'infrastructure-idle',
  run: async () => {
    const figures: Figure[] = []
    let writes = 0
    for (const shape of shapeNames) {
      for (const count of countsOf(shape)) {
        const cost = (await lifeOf(shape, count)).idle
        const go = idleOfGo[shape][count === 1 ? 0 : 1]
        writes += cost.writes
        figures.push({
          name: `unchanged infrastructure, ${shape}, ${zonesOf(count)}: reads of AWS`,
          value: cost.reads,
          unit: 'requests',
          target: readsTarget(shape, go),
          reference: { name: 'Go extension, all calls', value: go },
        })
      }
    }
    return [
      ...figures,
      {
        name: 'unchanged infrastructure: writes to AWS, all of these together',
        value: writes,
        unit: 'requests',
        target: atMost(0),
        reference: { name: 'Go extension, standard, 1 and 3 zones', value: 20 },
      },
    ]
  },
}

const { subnetAvailable, natGatewayAvailable, natGatewayDeleted } = durationsOf({ scale: 1 })
/** A NAT gateway stands in a subnet; nothing else in a standard infrastructure takes longer. */
const chains = { create: subnetAvailable + natGatewayAvailable, remove: natGatewayDeleted }
const goals = {
  create: { title: 'new', most: [55, 75], go: [54 + 20, 88 + 3 * 20] },
  remove: { title: 'deleted', most: [42, 60], go: [38 + 8, 64 + 3 * 8] },
} as const

/** From nothing to an infrastructure, and back. */
const lives: Benchmark = {
  name: 'infrastructure-life',
  run: async () => {
    const figures: Figure[] = []
    for (const [index, count] of zoneCounts.entries()) {
      const life = await lifeOf('standard', count)
      for (const operation of ['create', 'remove'] as const) {
        const { title, most, go } = goals[operation]
        const cost = life[operation]
        const chain = chains[operation] / 1000
        figures.push(
          {
            name: `${title} infrastructure, ${zonesOf(count)}: calls of AWS`,
            value: cost.reads + cost.writes,
            unit: 'requests',
            target: atMost(most[index] ?? 0),
            reference: { name: 'Go extension with its fewest polls', value: go[index] ?? 0 },
            with: "AWS's real durations, all polls counted",
          },
          {
            name: `${title} infrastructure, ${zonesOf(count)}: from the request to success`,
            value: cost.tookMs / 1000,
            unit: 's',
            target: atMost(Number((chain * 1.1).toFixed(1))),
            reference: { name: 'longest chain of waits', value: chain },
            with: "AWS's real durations, calls that take no time",
          },
        )
      }
      const slow = await lifeOf('standard', count, 200)
      const longest = Math.max(slow.create.longestStepMs, slow.idle.longestStepMs, slow.remove.longestStepMs)
      figures.push({
        name: `infrastructure, ${zonesOf(count)}: longest step`,
        value: longest / 1000,
        unit: 's',
        target: atMost(20),
        with: 'each call takes 200 ms',
      })
    }
    return figures
  },
}

export const callBenchmarks: readonly Benchmark[] = [idle, lives]
