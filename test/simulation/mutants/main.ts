import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { readMutants } from './read-mutants.ts'
import { type MutantResult, tryMutant } from './try-mutant.ts'

// Counts the seeded defects that the simulation finds, and names the invariants that find them: node
// test/simulation/mutants/main.ts [--only NN] [--jobs N] [--set NAME]
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    jobs: { type: 'string', default: String(Math.min(availableParallelism(), 2)) },
    // Runs only this set, for example without the histories that were written for these defects.
    set: { type: 'string', multiple: true },
    for: { type: 'string', default: '28' },
  },
})

/**
 * The number of mutants that may be missed: 11 of the first 88, and 65 of the 80 that others wrote without having seen
 * the simulation (from 89 on). With `--for 600`, 39 of the last 40 are found. It may only fall.
 */
const mostMissed = 76

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())

const mutants = readMutants().filter(
  ({ name }) => values.only === undefined || values.only.some(start => name.startsWith(start)),
)
const results: MutantResult[] = []
const waiting = mutants.values()
const work = async () => {
  for (const mutant of waiting) {
    if (ending.signal.aborted) return
    const result = await tryMutant(mutant, {
      limitMs: Number(values.for) * 1000,
      signal: ending.signal,
      sets: values.set,
    })
    if (ending.signal.aborted) return
    results.push(result)
    console.info(`${results.length}/${mutants.length} ${rowOf(result)}`)
  }
}

const rowOf = (result: MutantResult): string => {
  const { mutant, tookMs, kind } = result
  const about =
    kind === 'found'
      ? `${result.invariants.join(', ') || 'its own check'}: ${result.by}`
      : kind === 'broken'
        ? result.why
        : mutant.history
  return [
    mutant.name.padEnd(38),
    mutant.class.padEnd(13),
    kind.padEnd(6),
    `${(tookMs / 1000).toFixed(1)} s`.padStart(7),
    about,
  ].join('  ')
}

const began = performance.now()
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
const found = results.filter(({ kind }) => kind === 'found').length
const byName = results.toSorted((one, other) => (one.mutant.name < other.mutant.name ? -1 : 1))
console.info(`\n${byName.map(rowOf).join('\n')}`)
const byInvariant = new Map<string, number>()
for (const result of results)
  if (result.kind === 'found')
    for (const invariant of result.invariants.length === 0 ? ['its own check'] : result.invariants)
      byInvariant.set(invariant, (byInvariant.get(invariant) ?? 0) + 1)
console.info('')
for (const [invariant, count] of byInvariant) console.info(`${String(count).padStart(3)} by: ${invariant}`)
console.info(`\nfound ${found} of ${mutants.length} in ${Math.round((performance.now() - began) / 1000)} s`)
const isBroken = results.some(({ kind }) => kind === 'broken')
if (ending.signal.aborted || isBroken || found < mutants.length - mostMissed) process.exitCode = 1
