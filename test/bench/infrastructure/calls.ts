import { durationsOf } from '../../../sandbox/providers/aws/simulator/aws.ts'
import type { ShapeName } from '../../infrastructure/shapes.ts'
import { atMost, type Benchmark, type Figure, here } from '../figure.ts'
import { goCalls } from '../measured-elsewhere.ts'
import { type Cost, lifeOf } from './life.ts'

/** The calls of the Go extension when nothing has changed, for one and three zones; reads and writes together. */
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
/** The writes among these calls, if they were recorded separately. None of the writes is needed. */
const idleWritesOfGo: Partial<Readonly<Record<ShapeName, readonly [number, number]>>> = {
  standard: [8, 12],
  'gateway endpoint': [8, 12],
}
const shapeNames = Object.keys(idleOfGo) as ShapeName[]
const zoneCounts = [1, 3] as const
const zonesOf = (count: number) => (count === 1 ? '1 zone' : `${count} zones`)
/** The example's account has two own addresses. */
const countsOf = (shape: ShapeName) => (shape === 'own addresses' ? ([1] as const) : zoneCounts)

const mostReads = (shape: ShapeName) => (shape === 'dual stack' || shape === 'IPv6 only' ? 18 : 15)

/** Reconciles an infrastructure that needs no change. */
const idle: Benchmark = {
  name: 'infrastructure-idle',
  run: async () => {
    const figures: Figure[] = []
    for (const shape of shapeNames)
      for (const count of countsOf(shape))
        figures.push(...idleFigures(shape, count, (await lifeOf(shape, count)).idle))
    return figures
  },
}

/**
 * Compares reads with reads and writes with writes. If Go's are not recorded separately, it compares calls with calls.
 */
const idleFigures = (shape: ShapeName, count: 1 | 3, { reads, writes }: Cost): readonly Figure[] => {
  const name = `unchanged infrastructure, ${shape}, ${zonesOf(count)}`
  const at = count === 1 ? 0 : 1
  const go = idleOfGo[shape][at]
  const goWrites = idleWritesOfGo[shape]?.[at]
  const ofWrites: Figure = {
    name: `${name}: writes to AWS`,
    value: writes,
    unit: 'requests',
    target: atMost(0),
  }
  if (goWrites === undefined) {
    return [
      {
        name: `${name}: calls of AWS`,
        value: reads + writes,
        unit: 'requests',
        target: atMost(mostReads(shape)),
        reference: goCalls(go, 'all calls'),
        with: `${reads} reads and ${writes} writes; those of Go are recorded only as a sum`,
      },
      ofWrites,
    ]
  }
  return [
    {
      name: `${name}: reads of AWS`,
      value: reads,
      unit: 'requests',
      target: atMost(mostReads(shape)),
      reference: goCalls(go - goWrites, 'reads'),
    },
    { ...ofWrites, reference: goCalls(goWrites, 'writes') },
  ]
}

const { cidrBlockAssociated, subnetAvailable, natGatewayAvailable, natGatewayDeleted } = durationsOf({
  scale: 1,
})
type Operation = 'create' | 'remove'
interface LifeGoal {
  readonly shape: ShapeName
  /** The sum of the waits that depend on each other, in ms, if no other wait takes longer. */
  readonly chains: Readonly<Record<Operation, number>>
  /** Calls for one and three zones. */
  readonly most?: Readonly<Record<Operation, readonly [number, number]>>
  /** The calls of the Go extension if everything it waits for is ready at the first read. */
  readonly go: Readonly<Record<Operation, readonly [number, number]>>
}
/** A NAT gateway needs a subnet; no resource has to wait for the deletion of one. */
const gateway = { create: subnetAvailable + natGatewayAvailable, remove: natGatewayDeleted }
const lifeGoals: readonly LifeGoal[] = [
  {
    shape: 'standard',
    chains: gateway,
    most: { create: [55, 75], remove: [42, 60] },
    go: { create: [54, 88], remove: [38, 64] },
  },
  { shape: 'gateway endpoint', chains: gateway, go: { create: [57, 95], remove: [40, 66] } },
  { shape: 'file system', chains: gateway, go: { create: [59, 97], remove: [43, 73] } },
  {
    shape: 'dual stack',
    chains: { ...gateway, create: cidrBlockAssociated + gateway.create },
    go: { create: [70, 110], remove: [40, 66] },
  },
]
/** The Go extension's minimum of further reads of a NAT gateway: one every 5 s for each zone. */
const pollsOfGo = { create: 20, remove: 8 } as const
const titles = { create: 'new', remove: 'deleted' } as const

/** Creates and deletes an infrastructure. */
const lives: Benchmark = {
  name: 'infrastructure-life',
  run: async () => {
    const figures: Figure[] = []
    for (const goal of lifeGoals) {
      for (const [index, count] of zoneCounts.entries()) {
        const life = await lifeOf(goal.shape, count)
        for (const operation of ['create', 'remove'] as const)
          figures.push(...figuresOf(goal, operation, index, life[operation]))
      }
    }
    for (const count of zoneCounts) {
      const { create, idle, remove } = await lifeOf('standard', count, 200)
      const longest = Math.max(create.longestStepMs, idle.longestStepMs, remove.longestStepMs)
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

const figuresOf = (goal: LifeGoal, operation: Operation, index: number, cost: Cost): readonly Figure[] => {
  const count = zoneCounts[index] ?? 1
  const name = `${titles[operation]} infrastructure, ${goal.shape}, ${zonesOf(count)}`
  const go = (goal.go[operation][index] ?? 0) + count * pollsOfGo[operation]
  const chain = goal.chains[operation] / 1000
  const most = goal.most?.[operation][index]
  return [
    {
      name: `${name}: calls of AWS`,
      value: cost.reads + cost.writes,
      unit: 'requests',
      target: atMost(most ?? go),
      reference: goCalls(go, 'with its fewest polls'),
      with: "AWS's real durations, all polls counted",
    },
    {
      name: `${name}: from the request to success`,
      value: cost.tookMs / 1000,
      unit: 's',
      target: atMost(Number((chain * 1.1).toFixed(1))),
      reference: { name: 'longest chain of waits', value: chain, source: here },
      with: "AWS's real durations, calls that take no time",
    },
  ]
}

export const callBenchmarks: readonly Benchmark[] = [idle, lives]
