import { runWalks } from './run-walks.ts'
import { walkSpaces } from './walk-spaces.ts'

const [names = '', seed, count] = process.argv.slice(2)
const spaces = walkSpaces.filter(({ name }) => names.split(',').includes(name))
const start = performance.now()
let shown = 0
const all = await runWalks({
  spaces,
  seed: Number(seed),
  count: Number(count),
  onProgress: ({ failures }) => {
    const failure = failures.at(-1)
    if (failure && failures.length > shown) {
      shown = failures.length
      console.log(
        failure.text
          .split('\n')
          .map(line => line.slice(0, Number(process.env.WIDTH ?? 700)))
          .join('\n'),
      )
    }
  },
})
for (const { failures, ...counts } of all)
  console.log(JSON.stringify({ ...counts, failures: failures.map(({ seed }) => seed) }))
console.log('per minute', Math.round((Number(count) * spaces.length * 60000) / (performance.now() - start)))
