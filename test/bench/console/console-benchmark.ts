import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { buildPage } from '../../../build/console/build-page.ts'
import { madeUpJournal } from '../../../cli/console/testing/made-up-journal.ts'
import { browserProgram } from '../../real/programs/browser-program.ts'
import { atMost, type Benchmark, below, type Figure, percentile } from '../figure.ts'

const trellis = fileURLToPath(new URL('../../../cli/trellis.mjs', import.meta.url))
const frames = 200

/** Opens the journal of 250 shoots and 24 hours, and scrubs through it in Chromium. */
export const consoleBenchmark: Benchmark = {
  name: 'console',
  run: async () => {
    const { header, entries } = madeUpJournal({ shoots: 250, hours: 24 })
    const folder = await mkdtemp(join(tmpdir(), 'trellis-console-'))
    const file = join(folder, 'seed.journal')
    await writeFile(file, [header, ...entries].map(line => `${JSON.stringify(line)}\n`).join(''))
    const { script, style } = await buildPage()
    const size: Figure = {
      name: 'console: the page, uncompressed',
      value: (script.length + style.length) / 1000,
      unit: 'KB',
      target: below(150),
    }
    const child = spawn(process.execPath, [trellis, 'console', '--journal', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const began = performance.now()
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      return [size, ...(await measure(line, began, entries.length))]
    } finally {
      child.kill()
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    }
  },
}

const measure = async (url: string, began: number, entries: number): Promise<readonly Figure[]> => {
  const served = performance.now() - began
  const { chromium: executablePath } = await browserProgram(process.env)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 860 } })
    const opening = performance.now()
    await page.goto(`${url}?shoot=shoot--dev--rose-020&view=timeline`)
    await page.locator('.labels li').first().waitFor()
    const opened = performance.now() - opening
    // From the change of the slider until everything is drawn, without the pause until the next frame.
    const times = (await page.evaluate(`(async () => {
      const slider = document.querySelector('input[type=range]')
      const times = []
      for (let index = 0; index < ${frames}; index++) {
        await new Promise(requestAnimationFrame)
        const before = performance.now()
        slider.value = String(Number(slider.min) + (Number(slider.max) - Number(slider.min)) * ((index * 37) % ${frames}) / ${frames})
        slider.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise(resolve => setTimeout(resolve))
        document.body.getBoundingClientRect()
        times.push(performance.now() - before)
      }
      return times
    })()`)) as readonly number[]
    const session = await page.context().newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const about = `${entries} entries`
    return [
      {
        name: 'console: command → page → timeline of a shoot',
        value: (served + opened) / 1000,
        unit: 's',
        target: below(2),
        with: about,
      },
      { name: 'console: page → timeline of a shoot', value: opened / 1000, unit: 's', with: about },
      {
        name: 'console: one step of the scrubber, median',
        value: percentile(times, 0.5),
        unit: 'ms',
        target: atMost(16),
      },
      { name: 'console: one step of the scrubber, p99', value: percentile(times, 0.99), unit: 'ms' },
      { name: 'console: heap of the page', value: usedSize / 1e6, unit: 'MB', target: below(300) },
    ]
  } finally {
    await browser.close()
  }
}
