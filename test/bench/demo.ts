import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Benchmark, below } from './figure.ts'

const trellis = fileURLToPath(new URL('../../cli/trellis.mjs', import.meta.url))

/** The longest time for the demo, in ms. */
const patienceMs = 120_000

/** Runs `make demo` with installed dependencies, as a user does. */
export const demo: Benchmark = {
  name: 'demo',
  run: async () => {
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1000
    const child = spawn(process.execPath, [trellis, 'demo'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const cut = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const ended = once(child, 'exit')
    let first: number | undefined
    for await (const line of createInterface({ input: child.stdout })) {
      if (first === undefined && /DNSRecord \S+: Succeeded/.test(line)) first = seconds()
    }
    const [code] = await ended
    clearTimeout(cut)
    if (code !== 0 || first === undefined) throw new Error(`the demo ended with code ${code}`)
    return [
      { name: 'demo: process start → first record Succeeded', value: first, unit: 's', target: below(10) },
      { name: 'demo: the whole tour', value: seconds(), unit: 's', target: below(60) },
    ]
  },
}
