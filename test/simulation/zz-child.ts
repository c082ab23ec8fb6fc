import '../../sandbox/simulation/simulation.ts'
import { casts, createLives } from './lives/lives-set.ts'
import { lifeLines } from './lives/plan-life.ts'
const [castName = '', pattern = '', count = '5', prefix = 's'] = process.argv.slice(2)
const lives = createLives()
const cast = casts.find(one => one.name === castName)!
const fits: any[] = []
let tried = 0
for (; fits.length < Number(count) && tried < 600; tried++) {
  const plan = await lives.plan(`${castName} ${prefix}-${tried}`, cast)
  if (pattern.split('&&').every(one => new RegExp(one).test(JSON.stringify(plan)))) fits.push(plan)
}
console.error(`fits ${fits.length} of ${tried}`)
for (const plan of fits) {
  const t = performance.now()
  const { broken, trace } = await lives.play(plan, cast, process.env.TRACED !== undefined)
  if (process.env.TRACED) (await import('node:fs')).writeFileSync('/tmp/trace.txt', lifeLines(plan).join("\n") + "\n" + trace.filter((l: string) => !l.includes("/leases")).join("\n"))
  console.error(plan.seed, Math.round(performance.now() - t), 'ms', broken.length ? broken.slice(0, 2).map((b: string) => b.slice(0, 260)).join('\n     ') : 'ok')
  if (broken.length && process.env.MUTANT_FOLDER) { console.error(lifeLines(plan).join('\n')); break }
  if (broken.length) console.error(lifeLines(plan).join('\n'))
}
process.exit(0)
