import { runWalk } from './run-walk.ts'
import { walkOf } from './space/walk.ts'
import type { WalkSpace } from './space/walk-space.ts'

const [space, from, count] = process.argv.slice(2)
const mod = await import(`./spaces/${space}.ts`)
const s = Object.values(mod)[0] as WalkSpace
const loaded = await s.load()
const t = performance.now()
let bad = 0
const kinds: Record<string, number> = {}
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  const walk = walkOf(loaded, seed)
  const { stops, problems } = await runWalk(loaded, s.name, walk).catch((e: unknown) => ({
    stops: [] as string[],
    problems: [String((e as Error).stack)],
  }))
  for (const stop of stops) {
    const k = stop.slice(0, 110)
    kinds[k] = (kinds[k] ?? 0) + 1
  }
  if (problems.length > 0 && bad++ < Number(process.env.SHOW ?? 3)) {
    console.log(
      'seed',
      seed,
      process.env.FULL ? JSON.stringify(walk) : '',
      '\n',
      stops.map(s => s.slice(0, 200)).join('\n '),
      '\n  ',
      problems.map(p => p.slice(0, 900)).join('\n   '),
    )
  }
}
console.log(kinds, 'bad', bad, 'per minute', Math.round((Number(count) * 60000) / (performance.now() - t)))
