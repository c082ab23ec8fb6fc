import { above, atMost, type Benchmark, type Reference, type Row } from '../figure.ts'
import { type SimulatedRecords, simulateRecords } from './simulate-records.ts'

const records = 200
/** Two calls for each record, five per second. */
const idealSeconds = (2 * records) / 5
const runs = 8

const former = (value: number): Reference => ({
  name: 'fixed rate',
  value,
  source: {
    measured: 'elsewhere',
    where: 'the former limit of one call per second and process, measured separately',
  },
})
const formerSeconds: Readonly<Partial<Record<number, number>>> = { 1: 396, 40: 607 }

/** New records in processes that share a Route 53 account, on a virtual clock: means of several runs. */
export const accountRate: Benchmark = {
  name: 'rate',
  run: async () => {
    const rows: Row[] = []
    for (const processes of [1, 2, 40])
      for (const oneZone of [false, true]) {
        const results: SimulatedRecords[] = []
        for (let run = 0; run < runs; run++)
          results.push(await simulateRecords({ processes, records, oneZone }))
        rows.push(...rowsOf(results, processes, oneZone))
      }
    return rows
  },
}

const rowsOf = (
  results: readonly SimulatedRecords[],
  processes: number,
  oneZone: boolean,
): readonly Row[] => {
  const mean = (of: (result: SimulatedRecords) => number) =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length
  const what = `${records} records, ${processes} processes, ${oneZone ? 'one zone' : 'a zone each'}`
  const known = formerSeconds[processes]
  const time: Row = {
    name: `${what}: time / ideal`,
    value: mean(({ seconds }) => seconds / idealSeconds),
    unit: '×',
    target: atMost(1.2),
    ...(known !== undefined && { reference: former(known / idealSeconds) }),
    with: 'ideal: 80 s, two calls per record; account: 5 calls/s after 5 at once; mean of 8 runs',
  }
  const throttled: Row = {
    name: `${what}: calls throttled`,
    value: mean(result => (100 * result.throttled) / result.calls),
    unit: '%',
    target: atMost(2),
    ...(processes === 40 && { reference: former(77) }),
  }
  const longest: Row = {
    name: `${what}: longest wait / median`,
    value: mean(({ waits }) => (waits.at(-1) ?? 0) / (waits[waits.length >> 1] ?? 1)),
    unit: '×',
    target: atMost(3),
  }
  const used: Row = {
    name: `${what}: rate used`,
    value: mean(({ calls, throttled, seconds }) => (100 * (calls - throttled)) / (5 * seconds)),
    unit: '%',
    target: above(90),
  }
  // Combined calls finish before the rate matters.
  return oneZone ? [time, throttled, longest] : [time, used, throttled, longest]
}
