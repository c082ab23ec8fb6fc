import { readFileSync } from 'node:fs'
import { atMost, type Benchmark, type Reference, type Row } from '../figure.ts'
import { type SimulatedRecords, simulateRecords } from './simulate-records.ts'

/** The rate of the account: calls per second, and calls at once before it matters. */
const rate = 5
const records = 200
const runs = 8

/** Times with the former fixed rate, by number of processes. */
const formerSeconds: Readonly<Partial<Record<number, number>>> = { 1: 396, 40: 607 }
const formerThrottled = 77

const former = (name: string, value: number, where: string): Reference => ({
  name,
  value,
  source: { measured: 'elsewhere', where },
})
const fixedRate = (value: number): Reference =>
  former('fixed rate', value, 'the former limit of one call per second and process, two calls per record')

/** New records in processes that share a Route 53 account, on a virtual clock: means of several runs. */
export const accountRate: Benchmark = {
  name: 'rate',
  run: async () => [
    await quietAccount(),
    ...(await sharedAccount({ processes: 1, mostTime: 1.2 })),
    ...(await sharedAccount({ processes: 2, mostTime: 2 })),
    ...(await sharedAccount({ processes: 40, mostTime: 2 })),
    ...(await sharedZone()),
    linesOfCode(),
  ],
}

const measured = async (processes: number, oneZone: boolean) => {
  const results: SimulatedRecords[] = []
  for (let run = 0; run < runs; run++) results.push(await simulateRecords({ processes, records, oneZone }))
  return {
    mean: (of: (result: SimulatedRecords) => number) =>
      results.reduce((sum, result) => sum + of(result), 0) / runs,
    most: (of: (result: SimulatedRecords) => number) => Math.max(...results.map(of)),
  }
}

const quietAccount = async (): Promise<Row> => {
  const { seconds } = await simulateRecords({ processes: 1, records: 10, oneZone: false })
  return {
    name: '10 records, a zone each, quiet account: time',
    value: seconds,
    unit: 's',
    target: atMost(3),
  }
}

const throttledShare = ({ calls, throttled }: SimulatedRecords) => (100 * throttled) / calls
const longestToMedian = ({ waits }: SimulatedRecords) => (waits.at(-1) ?? 0) / (waits[waits.length >> 1] ?? 1)

/** Records in zones of their own: one call for each. */
const sharedAccount = async (of: {
  readonly processes: number
  readonly mostTime: number
}): Promise<readonly Row[]> => {
  const { processes, mostTime } = of
  const { mean, most } = await measured(processes, false)
  const what = `${records} records, ${processes} processes, a zone each`
  const idealSeconds = (records - rate) / rate
  const known = formerSeconds[processes]
  return [
    {
      name: `${what}: time`,
      value: mean(({ seconds }) => seconds),
      unit: 's',
      ...(known !== undefined && { reference: fixedRate(known) }),
      with: `account: ${rate} calls/s after ${rate} at once; mean of ${runs} runs`,
    },
    {
      name: `${what}: time / ideal`,
      value: mean(({ seconds }) => seconds / idealSeconds),
      unit: '×',
      target: atMost(mostTime),
      with: `ideal: ${idealSeconds} s, one call per record`,
    },
    { name: `${what}: longest wait / median`, value: mean(longestToMedian), unit: '×', target: atMost(3) },
    {
      name: `${what}: longest wait / median, worst run`,
      value: most(longestToMedian),
      unit: '×',
    },
    {
      name: `${what}: longest wait without a reason in the status`,
      value: most(({ longestStep }) => longestStep),
      unit: 's',
      target: atMost(2.3),
      with: 'a call that waits for its turn, and three calls of 60 ms',
    },
    {
      name: `${what}: calls throttled`,
      value: mean(throttledShare),
      unit: '%',
      ...(processes === 40 && { reference: fixedRate(formerThrottled) }),
    },
  ]
}

/** Records of one zone: each process combines its calls. */
const sharedZone = async (): Promise<readonly Row[]> => {
  const { mean } = await measured(40, true)
  const what = `${records} records, 40 processes, one zone`
  return [
    { name: `${what}: time`, value: mean(({ seconds }) => seconds), unit: 's', target: atMost(14) },
    { name: `${what}: longest wait / median`, value: mean(longestToMedian), unit: '×', target: atMost(3) },
    { name: `${what}: calls throttled`, value: mean(throttledShare), unit: '%' },
  ]
}

const linesOfCode = (): Row => {
  const files = ['rate-limit', 'shared-calls', 'account-calls']
  const lines = files.reduce(
    (sum, file) =>
      sum +
      readFileSync(new URL(`../../../functions/aws/dnsrecord/route53/${file}.ts`, import.meta.url), 'utf8')
        .trimEnd()
        .split('\n').length,
    0,
  )
  return {
    name: 'code that waits for turns and combines calls',
    value: lines,
    unit: 'lines',
    target: atMost(350),
    reference: former('spread over 87 s', 751, 'the former code of the same files'),
  }
}
